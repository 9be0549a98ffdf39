import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { Icon } from '../../design/components/Icon.tsx';
import { check, warning } from '../../design/components/icons.ts';
import { useFormats } from '../../i18n/format.ts';
import type { PortalCall } from '../../session/session.ts';
import desk from '../desk/desk.module.css';
import { useAge } from '../desk/duration.ts';
import styles from './Overview.module.css';
import { type Overview, useVisitsDue } from './overview.ts';

/** What waits for somebody, and since when. */
export function Queues({ call, overview }: { call: PortalCall; overview: Overview }) {
  const { t } = useTranslation('desk');
  const age = useAge();
  const visitsDue = useVisitsDue(call).data;
  const { transfers, waitingForWorker, deadLetters, asOf } = overview;
  const since = ({ oldestAt }: { oldestAt?: string | undefined }) =>
    oldestAt ? t('overview.oldest', { age: age(oldestAt, Date.parse(asOf)) }) : t('overview.nobodyWaits');
  return (
    <dl className={styles.queues}>
      <Queue label={t('overview.transfers')} count={transfers.orders} to="?view=transfers">
        {since(transfers)}
      </Queue>
      <Queue label={t('overview.waiting')} count={waitingForWorker.orders} to="?view=orders&status=pending">
        {since(waitingForWorker)}
      </Queue>
      {visitsDue !== undefined && (
        <Queue label={t('overview.visitsDue')} count={visitsDue} to="?view=workers">
          {t('overview.visitsDueText')}
        </Queue>
      )}
      <Queue label={t('overview.deadLetters')} count={deadLetters}>
        <span className={`${desk.mark} ${deadLetters > 0 ? desk.brick : desk.leaf}`}>
          <Icon of={deadLetters > 0 ? warning : check} size="small" />
          {deadLetters > 0 ? t('overview.undelivered') : t('overview.allDelivered')}
        </span>
      </Queue>
    </dl>
  );
}

function Queue({
  label,
  count,
  to,
  children,
}: {
  label: string;
  count: number;
  to?: string;
  children: ReactNode;
}) {
  const formats = useFormats();
  return (
    <div className={styles.queue}>
      <dt>{to ? <Link to={to}>{label}</Link> : label}</dt>
      <dd className={`figure ${styles.count}`}>{formats.number(count)}</dd>
      <dd className="quiet">{children}</dd>
    </div>
  );
}

/** Orders that are assigned and not planted, by how long. */
export function NotPlanted({ groups }: { groups: Overview['notPlanted'] }) {
  const { t } = useTranslation('desk');
  const formats = useFormats();
  const largest = Math.max(1, ...groups.map(({ orders }) => orders));
  return (
    <section className={styles.wide}>
      <h3 className={desk.heading}>{t('overview.notPlanted')}</h3>
      <ul className={styles.groups}>
        {groups.map(({ fromDays, toDays, orders }) => (
          <li key={fromDays} className={styles.group}>
            <span>
              {toDays === undefined
                ? t('overview.daysFrom', { from: formats.number(fromDays) })
                : t('overview.daysBetween', { from: formats.number(fromDays), to: formats.number(toDays) })}
            </span>
            <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true" className={styles.length}>
              <rect width={(orders / largest) * 100} height="10" />
            </svg>
            <strong className="tabular">
              {t('overview.ordersOf', { count: orders, shown: formats.number(orders) })}
            </strong>
          </li>
        ))}
      </ul>
    </section>
  );
}
