import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router-dom';

import { check, warning } from '../../design/components/icons.ts';
import { useFormats } from '../../i18n/format.ts';
import type { PortalCall } from '../../session/session.ts';
import { useMay } from '../permissions.tsx';
import { Mark } from '../shared/Mark.tsx';
import shared from '../shared/shared.module.css';
import { instantOfDay, useAge } from '../shared/duration.ts';
import { useUndecidedCount } from '../photos/photos.ts';
import { useWorkloads } from '../workers/workers.ts';
import styles from './Overview.module.css';
import { type MoneyAttention, type Overview, useDeadLetters, useMoneyWithoutOrder } from './overview.ts';

/** Ids of lists on this page: failed refunds and disputes, undelivered events, and money without an order. */
const MONEY = 'money';
const UNDELIVERED = 'undelivered';
const WITHOUT_ORDER = 'without-order';

export function Queues({
  call,
  overview,
  money,
}: {
  call: PortalCall;
  overview: Overview;
  money: MoneyAttention | undefined;
}) {
  const { t } = useTranslation('panels');
  const may = useMay();
  const age = useAge();
  const formats = useFormats();
  const workloads = useWorkloads(call).data;
  const visitsDue = workloads && [...workloads.values()].reduce((sum, one) => sum + one.visitsDue, 0);
  const handedOver = useUndecidedCount(call).data;
  const refunds = [...(money?.toReturn ?? []), ...(money?.toNote ?? [])];
  const lost = money?.disputes.filter(({ status }) => status === 'lost').length ?? 0;
  const { transfers, withdrawals, waitingForWorker, deadLetters, asOf } = overview;
  const here = useLocation().search;
  // On the same page, when there is anything.
  const listHere = (id: string, count: number) => (count > 0 ? `${here}#${id}` : undefined);
  const since = ({ oldestAt }: { oldestAt?: string | undefined }) =>
    oldestAt ? t('overview.oldest', { age: age(oldestAt, Date.parse(asOf)) }) : t('overview.nobodyWaits');
  return (
    <dl className={styles.queues}>
      <Queue
        label={t('overview.transfers')}
        count={transfers.orders}
        to={may('payments:read') ? '?view=transfers' : undefined}
      >
        {since(transfers)}
      </Queue>
      <Queue
        label={t('overview.withdrawals')}
        count={withdrawals.orders}
        to="?view=orders&withdrawal=true&sort=oldest"
      >
        <Withdrawals of={withdrawals} asOf={asOf} />
      </Queue>
      <Queue
        label={t('overview.waiting')}
        count={waitingForWorker.orders}
        to="?view=orders&status=pending&worker=none"
      >
        {since(waitingForWorker)}
      </Queue>
      {visitsDue !== undefined && (
        <Queue label={t('overview.visitsDue')} count={visitsDue} to="?view=workers">
          {t('overview.visitsDueText')}
        </Queue>
      )}
      {handedOver !== undefined && (
        <Queue
          label={t('overview.handedOver')}
          count={handedOver}
          to="?view=photos&flag=after-reassignment&hidden=true"
        >
          {t('overview.handedOverText')}
        </Queue>
      )}
      {money && (
        <>
          <Queue label={t('overview.toReturn')} count={refunds.length} to={listHere(MONEY, refunds.length)}>
            <Refunds money={money} />
          </Queue>
          <Queue
            label={t('overview.disputes')}
            count={money.disputes.length}
            to={listHere(MONEY, money.disputes.length)}
          >
            <Verdict isGood={money.disputes.length === 0}>
              {money.disputes.length === 0
                ? t('overview.noDisputes')
                : t('overview.disputesText', {
                    lost: formats.number(lost),
                    open: formats.number(money.disputes.length - lost),
                  })}
            </Verdict>
          </Queue>
        </>
      )}
      {money && (
        <Queue
          label={t('overview.returns')}
          count={money.returns?.count ?? 0}
          to={money.returns && '?view=statements&list=returns'}
        >
          <Verdict isGood={!money.returns}>
            {money.returns
              ? t('overview.returnsSince', { age: age(instantOfDay(money.returns.oldestDay)) })
              : t('overview.returnsNone')}
          </Verdict>
        </Queue>
      )}
      {money && (
        <Queue
          label={t('overview.withoutOrder')}
          count={money.withoutOrder?.count ?? 0}
          to={listHere(WITHOUT_ORDER, money.withoutOrder?.count ?? 0)}
        >
          <Verdict isGood={!money.withoutOrder}>
            {money.withoutOrder
              ? t('overview.withoutOrderSince', { age: age(instantOfDay(money.withoutOrder.oldestDay)) })
              : t('overview.withoutOrderNone')}
          </Verdict>
        </Queue>
      )}
      <Queue label={t('overview.deadLetters')} count={deadLetters} to={listHere(UNDELIVERED, deadLetters)}>
        <Verdict isGood={deadLetters === 0}>
          {deadLetters > 0 ? t('overview.undelivered') : t('overview.allDelivered')}
        </Verdict>
      </Queue>
    </dl>
  );
}

function Refunds({ money: { toReturn, toNote } }: { money: MoneyAttention }) {
  const { t } = useTranslation('panels');
  const age = useAge();
  const [failed] = toReturn;
  const [begun] = toNote;
  if (failed)
    return <Verdict isGood={false}>{t('overview.toReturnSince', { age: age(failed.since) })}</Verdict>;
  if (begun) return <Verdict isGood={false}>{t('overview.toNoteSince', { age: age(begun.since) })}</Verdict>;
  return <Verdict isGood>{t('overview.nothingToReturn')}</Verdict>;
}

/** The age of the oldest withdrawal and the next deadline; red once one is past it. */
function Withdrawals({ of, asOf }: { of: Overview['withdrawals']; asOf: string }) {
  const { t } = useTranslation('panels');
  const age = useAge();
  const formats = useFormats();
  const { oldestAt, nextBy, overdue } = of;
  if (oldestAt === undefined || nextBy === undefined) return t('overview.withdrawalsNone');
  const since = age(oldestAt, Date.parse(asOf));
  if (overdue === 0) return t('overview.withdrawalsBy', { age: since, day: formats.colombianDay(nextBy) });
  return <Verdict isGood={false}>{t('overview.withdrawalsOverdue', { count: overdue, age: since })}</Verdict>;
}

function Verdict({ isGood, children }: { isGood: boolean; children: ReactNode }) {
  return (
    <Mark icon={isGood ? check : warning} tone={isGood ? 'leaf' : 'brick'}>
      {children}
    </Mark>
  );
}

/** Failed and forgotten refunds and disputes, linked to their payments. */
export function MoneyToLookAfter({ money }: { money: MoneyAttention | undefined }) {
  const { t } = useTranslation('panels');
  const formats = useFormats();
  const all = [
    ...(money?.toReturn ?? []).map((one) => ({ ...one, at: one.since, what: t('overview.returnOne') })),
    ...(money?.toNote ?? []).map((one) => ({
      ...one,
      at: one.since,
      what: t('overview.noteOne', { name: one.by }),
    })),
    ...(money?.disputes ?? []).map((one) => ({
      ...one,
      at: one.updatedAt,
      what: t(one.status === 'lost' ? 'overview.disputeLost' : 'overview.disputeOpen'),
    })),
  ];
  if (all.length === 0) return null;
  return (
    <section className={styles.wide} id={MONEY}>
      <h3 className={shared.heading}>{t('overview.moneyTitle')}</h3>
      <ul className={styles.groups}>
        {all.map(
          ({ paymentId, shortId, customerName, photoPackageType, amount, currency, at, what }, index) => (
            <li key={index} className={styles.money}>
              <Link to={`?view=payments&payment=${paymentId}`}>
                {what}: {shortId}
              </Link>
              <span>
                {customerName}
                {photoPackageType && ` · ${t(`payments.photoPackages.${photoPackageType}`)}`}
                <span className="quiet"> · {formats.day(at)}</span>
              </span>
              <strong className="tabular">{formats.money(amount, currency)}</strong>
            </li>
          ),
        )}
      </ul>
    </section>
  );
}

/** Credits on bank statements that belong to no order, with who looks after them and since when; the oldest first. */
export function MoneyWithoutOrder({ call }: { call: PortalCall }) {
  const { t } = useTranslation('panels');
  const formats = useFormats();
  const age = useAge();
  const rows = useMoneyWithoutOrder(call).data ?? [];
  if (rows.length === 0) return null;
  return (
    <section className={styles.wide} id={WITHOUT_ORDER}>
      <h3 className={shared.heading}>{t('overview.withoutOrder')}</h3>
      <ul className={styles.groups}>
        {rows.map(({ rowId, day, name, text, amount, currency, owner }) => (
          <li key={rowId} className={styles.money}>
            <Link to="?view=statements&list=without-order">{name ?? text}</Link>
            <span>
              {t('overview.withoutOrderOwner', { name: owner?.name ?? t('overview.withoutOrderAdmin') })}
              <span className="quiet">
                {' '}
                · {t('overview.withoutOrderFor', { age: age(instantOfDay(day)) })}
              </span>
            </span>
            <strong className="tabular">{formats.money(amount, currency)}</strong>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Events that a service gave up, with the order they are about. Only an operator can deliver them again. */
export function UndeliveredEvents({ call }: { call: PortalCall }) {
  const { t } = useTranslation('panels');
  const formats = useFormats();
  const { data: letters } = useDeadLetters(call);
  return (
    <section className={styles.wide} id={UNDELIVERED}>
      <h3 className={shared.heading}>{t('overview.deadLetters')}</h3>
      <p className="quiet">{t('overview.deadLettersText')}</p>
      <ul className={styles.groups}>
        {letters?.map(({ id, service, event, orderId, shortId, failedAt }) => (
          <li key={id} className={styles.money}>
            {orderId ? (
              <Link to={`?view=orders&order=${orderId}`}>{shortId}</Link>
            ) : (
              <span className="quiet">{t('overview.noOrder')}</span>
            )}
            <span>
              <code>{event}</code> → {service}
            </span>
            <span className="quiet">{formats.moment(failedAt)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Steps that former workers reported: the trees may stand already. */
export function Reports({ reports }: { reports: Overview['reports'] }) {
  const { t } = useTranslation('panels');
  const { t: common } = useTranslation();
  const formats = useFormats();
  if (reports.length === 0) return null;
  return (
    <section className={styles.wide}>
      <h3 className={shared.heading}>{t('overview.reports')}</h3>
      <ul className={styles.groups}>
        {reports.map(({ orderId, shortId, worker, step, at }, index) => (
          <li key={index} className={styles.money}>
            <Link to={`?view=orders&order=${orderId}`}>{shortId}</Link>
            <span>
              {t('overview.report', { worker, status: common(`status.${step}`) })}
              <span className="quiet"> · {formats.day(at)}</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
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
  to?: string | undefined;
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

const DAY_MS = 86_400_000;

/** The list of the orders of a group. @param asOf when they were counted */
export function notPlantedAddress(
  { fromDays, toDays }: Overview['notPlanted'][number],
  asOf: string,
): string {
  const ago = (days: number) => new Date(Date.parse(asOf) - days * DAY_MS).toISOString();
  return `?${new URLSearchParams({
    view: 'orders',
    status: 'assigned',
    ...(toDays !== undefined && { assignedFrom: ago(toDays) }),
    // Clocks differ, so the newest group has no end.
    ...(fromDays > 0 && { assignedTo: ago(fromDays) }),
  }).toString()}`;
}

export function NotPlanted({ groups, asOf }: { groups: Overview['notPlanted']; asOf: string }) {
  const { t } = useTranslation('panels');
  const formats = useFormats();
  const largest = Math.max(1, ...groups.map(({ orders }) => orders));
  return (
    <section className={styles.wide}>
      <h3 className={shared.heading}>{t('overview.notPlanted')}</h3>
      <ul className={styles.groups}>
        {groups.map(({ fromDays, toDays, orders }) => (
          <li key={fromDays} className={styles.group}>
            <Link to={notPlantedAddress({ fromDays, toDays, orders }, asOf)}>
              {toDays === undefined
                ? t('overview.daysFrom', { from: formats.number(fromDays) })
                : t('overview.daysBetween', {
                    from: formats.number(fromDays),
                    to: formats.number(toDays - 1),
                  })}
            </Link>
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
