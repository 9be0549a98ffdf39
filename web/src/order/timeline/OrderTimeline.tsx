import { PHOTO_PACKAGES } from '@arboleda/contracts/packages.ts';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PublicOrder } from '../../api/order.ts';
import { Money } from '../../design/components/Money.tsx';
import { Timeline } from '../../design/components/Timeline.tsx';
import { isOver, visitDates } from '../growth/schedule.ts';
import { useFormats } from '../../i18n/format.ts';
import { moneyStateOf } from '../money/money-state.ts';

const STEP_NAMES = ['paid', 'assigned', 'planted', 'photos', 'growth'] as const;
type StepName = (typeof STEP_NAMES)[number];

interface Step {
  name: StepName;
  state: 'done' | 'current' | 'ahead';
}

type Facts = Pick<PublicOrder, 'status' | 'photos' | 'manualPayment'> & { growth?: Growth | undefined };

const REACHED: Record<PublicOrder['status'], number> = { pending: 0, assigned: 1, planted: 2, completed: 2 };

/** Completed steps of an order; the latest is the current one. None while its transfer waits. */
export function stepsOf(order: Facts): Step[] {
  const reached = moneyStateOf(order) === 'to-verify' ? -1 : reachedBy(order);
  return STEP_NAMES.map((name, at) => ({
    name,
    state: at < reached ? 'done' : at === reached ? 'current' : 'ahead',
  }));
}

function reachedBy({ status, photos, growth = [] }: Facts): number {
  if (REACHED[status] < 2 || photos.length === 0) return REACHED[status];
  return growth.some(({ visits }) => visits.some(({ completedAt }) => completedAt)) ? 4 : 3;
}

type Growth = readonly Pick<
  NonNullable<PublicOrder['growth']>[number],
  'completedAt' | 'stoppedAt' | 'visits'
>[];

/** The next update of all packages; undefined when none is left. */
export function nextVisit(growth: Growth = []): Growth[number]['visits'][number] | undefined {
  return growth
    .filter((one) => !isOver(one))
    .flatMap(({ visits }) => visits)
    .filter(({ completedAt }) => !completedAt)
    .sort((a, b) => Date.parse(a.dueAt) - Date.parse(b.dueAt))[0];
}

type TimelineOrder = Partial<Pick<PublicOrder, 'amount' | 'currency' | 'createdAt'>> & {
  /** For its recipient, who sees no amounts; without a name when the buyer was erased. */
  giftFrom?: string | undefined;
  growth?: Growth | undefined;
} & Pick<
    PublicOrder,
    | 'status'
    | 'assignedDate'
    | 'plantingDate'
    | 'photoDate'
    | 'assignedWorker'
    | 'location'
    | 'photos'
    | 'manualPayment'
    | 'withdrawn'
    | 'lostAmount'
  >;

interface Words {
  label: string;
  value: ReactNode;
  when: string;
}

/** paid → assigned to → planted at → photos → growth, with the order's own names, places and dates. */
export function OrderTimeline({ order }: { order: TimelineOrder }) {
  const { t } = useTranslation('order');
  const words = useWords(order);
  const steps = stepsOf(order).map(({ name, state }) => ({
    name,
    state,
    stateText: state === 'ahead' ? t('timeline.ahead') : t('timeline.done'),
    ...words[name],
  }));
  return <Timeline label={t('timeline.label')} steps={steps} />;
}

function useWords(order: TimelineOrder): Record<StepName, Words> {
  const { t } = useTranslation('order');
  const formats = useFormats();
  const { assignedWorker, plantingDate, photos } = order;
  const photoDate = order.photoDate ?? photos[0]?.uploadedAt;
  return {
    paid: usePaidWords(order),
    assigned: {
      label: t('timeline.assigned'),
      value: assignedWorker?.name ?? t('timeline.assignedAhead'),
      when: assignedWorker
        ? order.assignedDate
          ? formats.day(order.assignedDate)
          : ''
        : t('timeline.assignedWhen'),
    },
    planted: plantingDate
      ? {
          label: t('timeline.planted'),
          value: order.location?.split(',')[0] ?? t('timeline.plantedUnnamed'),
          when: formats.moment(plantingDate),
        }
      : { label: t('timeline.planted'), value: t('timeline.plantedAhead'), when: t('timeline.plantedWhen') },
    photos: photos.length
      ? {
          label: t('timeline.photos'),
          value: t('timeline.photosCount', { count: photos.length }),
          when: photoDate ? formats.day(photoDate) : '',
        }
      : { label: t('timeline.photos'), value: t('timeline.photosAhead'), when: t('timeline.photosWhen') },
    growth: { label: t('timeline.growth'), ...useGrowthWords(order) },
  };
}

function usePaidWords(order: TimelineOrder): Words {
  const { t } = useTranslation('order');
  const formats = useFormats();
  const { amount, currency, createdAt, giftFrom } = order;
  if (amount === undefined || currency === undefined)
    return { label: t('timeline.gift'), value: giftFrom ?? t('timeline.given'), when: '' };
  const value = <Money amountMinor={amount} currency={currency} />;
  return moneyStateOf(order) === 'to-verify'
    ? { label: t('timeline.transfer'), value, when: t('timeline.transferWhen') }
    : { label: t('timeline.paid'), value, when: createdAt ? formats.day(createdAt) : '' };
}

function useGrowthWords({ growth, plantingDate }: TimelineOrder): Pick<Words, 'value' | 'when'> {
  const { t } = useTranslation('order');
  const formats = useFormats();
  const [now] = useState(() => new Date());
  const next = nextVisit(growth);
  if (next) {
    const { number, of } = next;
    return { value: formats.month(next.dueAt), when: t('timeline.growthNext', { number, of }) };
  }
  const made = growth?.flatMap(({ visits }) => visits) ?? [];
  if (made.length > 0) {
    return { value: t('timeline.growthMade', { count: made.length }), when: t('timeline.growthAll') };
  }
  if (growth?.length) return { value: t('timeline.growthAhead'), when: t('timeline.growthBought') };
  const [first] = visitDates(PHOTO_PACKAGES.first_year.months, plantingDate, now) ?? [];
  return { value: first ? formats.month(first) : t('timeline.growthAhead'), when: t('timeline.growthWhen') };
}
