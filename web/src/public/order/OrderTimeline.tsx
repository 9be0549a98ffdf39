import { useTranslation } from 'react-i18next';
import type { PublicOrder } from '../../api/order.ts';
import { Timeline } from '../../design/components/Timeline.tsx';
import { useFormats } from '../../i18n/format.ts';
import { stepsOf } from './timeline-steps.ts';

type Told = Pick<
  PublicOrder,
  | 'status'
  | 'amount'
  | 'currency'
  | 'createdAt'
  | 'assignedDate'
  | 'plantingDate'
  | 'photoDate'
  | 'assignedWorker'
  | 'location'
  | 'photos'
>;

/** paid → assigned to → planted at → photos → growth, with the real names, places and dates of one order. */
export function OrderTimeline({ order }: { order: Told }) {
  const { t } = useTranslation('order');
  const formats = useFormats();
  const { assignedWorker, plantingDate, photos } = order;
  const photoDate = order.photoDate ?? photos[0]?.uploadedAt;
  const words = {
    paid: {
      label: t('timeline.paid'),
      value: formats.money(order.amount, order.currency),
      when: formats.day(order.createdAt),
    },
    assigned: assignedWorker
      ? {
          label: t('timeline.assigned'),
          value: assignedWorker.name,
          when: order.assignedDate ? formats.day(order.assignedDate) : '',
        }
      : {
          label: t('timeline.assigned'),
          value: t('timeline.assignedAhead'),
          when: t('timeline.assignedWhen'),
        },
    planted: plantingDate
      ? {
          label: t('timeline.planted'),
          value: order.location?.split(',')[0] ?? t('timeline.plantedUnnamed'),
          when: `${formats.fieldDay(plantingDate)}, ${formats.fieldTime(plantingDate)}`,
        }
      : { label: t('timeline.planted'), value: t('timeline.plantedAhead'), when: t('timeline.plantedWhen') },
    photos: photos.length
      ? {
          label: t('timeline.photos'),
          value: t('timeline.photosCount', { count: photos.length }),
          when: photoDate ? formats.fieldDay(photoDate) : '',
        }
      : { label: t('timeline.photos'), value: t('timeline.photosAhead'), when: t('timeline.photosWhen') },
    growth: {
      label: t('timeline.growth'),
      value: plantingDate ? formats.month(threeMonthsAfter(plantingDate)) : t('timeline.growthAhead'),
      when: t('timeline.growthWhen'),
    },
  };
  const steps = stepsOf(order).map(({ name, state }) => ({
    name,
    state,
    stateText: state === 'ahead' ? t('timeline.ahead') : t('timeline.done'),
    ...words[name],
  }));
  return <Timeline label={t('timeline.label')} steps={steps} />;
}

/** The first growth visit, as the photo packages count it. */
function threeMonthsAfter(instant: string): Date {
  const date = new Date(instant);
  date.setUTCMonth(date.getUTCMonth() + 3);
  return date;
}
