import { cachedFor, labelledGauge, type Metrics, plainGauge } from '@arboleda/chassis/http/metrics.ts';
import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import { countByState, countWaiting } from './queue/mail-store.ts';

const DAY_MS = 86_400_000;
const COUNTED_EVERY_MS = 10_000;

/** Metrics of emails, which show a mail server or provider that refuses them. */
export function showMails(metrics: Metrics, sql: Sql, clock: () => Date): void {
  labelledGauge(
    metrics,
    {
      name: 'mails_by_state',
      help: 'Mails of the last 24 hours by what became of them: waiting, sent, refused, bounced, pointless',
      label: 'state',
    },
    cachedFor(COUNTED_EVERY_MS, () => countByState(sql, new Date(clock().getTime() - DAY_MS))),
  );
  plainGauge(
    metrics,
    { name: 'mails_waiting', help: 'Mails that are due, or failed and will be tried again' },
    cachedFor(COUNTED_EVERY_MS, () => countWaiting(sql, clock())),
  );
}
