import type pg from 'pg';
import { waitFor } from './wait.ts';

export type Rows = <Row extends pg.QueryResultRow>(
  text: string,
  values?: readonly unknown[],
) => Promise<Row[]>;

/** Jobs that are due within this time count as being under way. */
const SOON = '5 seconds';
const SETTLED_WITHIN_MS = 120_000;

/**
 * Resolves when the embedded tier has finished its work: nothing waits to be published or handled. Polling does not
 * count, nor do newer formats of photos that are shown already. @throws naming what is left
 */
export async function settled(rows: Rows): Promise<void> {
  const tables = await rows<{ schema: string; name: string }>(
    `select table_schema as schema, table_name as name from information_schema.tables
     where table_name = '_outbox' or (table_schema, table_name) in (('media', 'photos'), ('payments', 'payments'), ('notifications', 'mails'))`,
  );
  // Not all services run in every part.
  const outboxes = tables.filter(({ name }) => name === '_outbox').map(({ schema }) => `${schema}._outbox`);
  const [hasPhotos, hasPayments, hasMails] = ['photos', 'payments', 'mails'].map((table) =>
    tables.some(({ name }) => name === table),
  );
  const waiting = [
    `select task_identifier as what, count(*)::int as n from graphile_worker.jobs
     where attempts < max_attempts and (locked_at is not null or run_at < now() + case
       when task_identifier like 'job:%:every:%' then interval '0' else interval '${SOON}' end) group by 1`,
    `select 'events for ' || group_name, count(*)::int from chassis.deliveries
     where due_at < now() + interval '${SOON}' group by 1`,
    ...(hasPhotos
      ? [
          `select 'photos without pictures', count(*)::int from media.photos
           where step = 'jpeg' and due_at is not null having count(*) > 0`,
        ]
      : []),
    ...(hasPayments
      ? [
          `select 'fees to look up', count(*)::int from payments.payments
           where charge_due_at < now() + interval '${SOON}' having count(*) > 0`,
        ]
      : []),
    ...(hasMails
      ? [
          `select 'emails', count(*)::int from notifications.mails where sent_at is null and dropped_at is null
             and coalesce(send_after, '-infinity') < now() + interval '${SOON}' having count(*) > 0`,
        ]
      : []),
    ...outboxes.map((outbox) => `select '${outbox}', count(*)::int from ${outbox} having count(*) > 0`),
  ];
  let quietTimes = 0;
  let left: { what: string; n: number }[] = [];
  await waitFor(
    'everything that was begun to be finished',
    async () => {
      left = await rows<{ what: string; n: number }>(waiting.join(' union all '));
      quietTimes = left.length === 0 ? quietTimes + 1 : 0;
      return quietTimes > 2;
    },
    SETTLED_WITHIN_MS,
  ).catch((cause: Error) => {
    const list = left.map(({ what, n }) => `${what} ×${n}`).join(', ');
    throw new Error(`${cause.message}; left: ${list}`, { cause });
  });
}
