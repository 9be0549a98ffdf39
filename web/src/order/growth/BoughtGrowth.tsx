import { PHOTO_PACKAGES } from '@arboleda/contracts/packages.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PublicOrder } from '../../api/order.ts';
import { GrowthSchedule } from '../../design/components/GrowthSchedule.tsx';
import { useFormats } from '../../i18n/format.ts';
import { datesInWords } from './dates-in-words.ts';
import styles from './growth.module.css';
import { axisAfterPlanting, axisOfYears, stateOf } from './schedule.ts';

type Paid = NonNullable<PublicOrder['growth']>[number];
/** Without the money for the recipient of a gift. */
type Purchase = Omit<Paid, 'currency'> & Partial<Pick<Paid, 'currency'>>;

export function BoughtGrowth({
  order,
}: {
  order: Pick<PublicOrder, 'photos' | 'trees'> & { growth?: readonly Purchase[] | undefined };
}) {
  const purchases = order.growth ?? [];
  // Photos carry the number of their update but not its package, so with two packages the assignment is ambiguous.
  const photos = purchases.length === 1 ? order.photos : undefined;
  return purchases.map((purchase) => (
    <Package key={purchase.purchasedAt} purchase={purchase} photos={photos} trees={order.trees} />
  ));
}

function Package({
  purchase,
  photos,
  trees,
}: {
  purchase: Purchase;
  photos: PublicOrder['photos'] | undefined;
  trees: number;
}) {
  const { t, i18n } = useTranslation('growth');
  const formats = useFormats();
  const { photoPackageType: type, purchasedAt, completedAt, stoppedAt } = purchase;
  const isStopped = stoppedAt !== undefined && !completedAt;
  const visits = isStopped ? purchase.visits.filter((visit) => visit.completedAt) : purchase.visits;
  const [now] = useState(() => new Date());
  const name = t(`${type}.name`);
  const dates = visits.map(({ dueAt }) => dueAt);
  const years = dates.length > 0 ? axisOfYears(dates) : undefined;
  const counted = axisAfterPlanting((number) => t('yearAfter', { number }));
  const marks = years
    ? visits.map((visit) => ({ at: years.place(visit.dueAt), state: stateOf(visit, now) }))
    : isStopped
      ? []
      : PHOTO_PACKAGES[type].months.map((month) => ({ at: counted.place(month), state: 'ahead' as const }));
  return (
    <div className={styles.bought}>
      <GrowthSchedule
        label={t('bought.title')}
        ticks={(years ?? counted).ticks}
        rows={[
          {
            key: type,
            title: name,
            detail: completedAt
              ? t('bought.finished')
              : t('bought.bought', { date: formats.day(purchasedAt) }),
            marks,
            words: isStopped
              ? t('bought.stopped', { date: formats.day(stoppedAt) })
              : years
                ? datesInWords(dates, i18n.language, t)
                : t(`${type}.unplanted`),
          },
        ]}
      />
      <MoneyBack purchase={purchase} />
      {visits.length === 0 ? (
        !isStopped && <p className="small quiet">{t('bought.unplanted', { count: trees })}</p>
      ) : (
        <ol className={`small ${styles.visits}`} aria-label={t('bought.label', { name })}>
          {visits.map((visit) => (
            <li key={visit.number}>
              <span className={styles.which}>
                {t('bought.update', { number: visit.number, of: visit.of })}
              </span>
              <VisitWords visit={visit} now={now} photos={photos} />
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}

function MoneyBack({ purchase: { refundedAmount, lostAmount, currency } }: { purchase: Purchase }) {
  const { t } = useTranslation('growth');
  const formats = useFormats();
  if (!currency) return null;
  const amount = (minor: number) => ({ amount: formats.money(minor, currency) });
  return (
    <>
      {refundedAmount !== undefined && (
        <p className="small">{t('bought.refunded', amount(refundedAmount))}</p>
      )}
      {lostAmount !== undefined && <p className="small">{t('bought.takenBack', amount(lostAmount))}</p>}
    </>
  );
}

function VisitWords({
  visit,
  now,
  photos,
}: {
  visit: Purchase['visits'][number];
  now: Date;
  photos: PublicOrder['photos'] | undefined;
}) {
  const { t } = useTranslation('growth');
  const formats = useFormats();
  const state = stateOf(visit, now);
  if (state === 'due') return <span className={styles.due}>{t('bought.due')}</span>;
  if (state !== 'done') return <span>{t('bought.ahead', { month: formats.month(visit.dueAt) })}</span>;
  const date = formats.day(visit.completedAt!);
  const count = photos?.filter(({ growthUpdate }) => growthUpdate === visit.number).length ?? 0;
  return <span>{count > 0 ? t('bought.doneWith', { date, count }) : t('bought.done', { date })}</span>;
}
