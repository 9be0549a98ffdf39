import { SERVICES } from '@arboleda/contracts/services.ts';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';

export interface StoredPhoto {
  filename: string;
  orderId: string;
  state: string;
}

/** Rows, photos, objects and queues as an engine's own client sees them. */
export interface Stores {
  photos(): Promise<StoredPhoto[]>;
  /** undefined when there is no such object. */
  object(bucket: string, key: string): Promise<Uint8Array | undefined>;
  rows<T extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<T[]>;
  /** Queues that should be empty when nothing is in flight. */
  leftovers(): Promise<{ what: string; count: number }[]>;
  /**
   * For each service, of the oldest that waits for it: milliseconds since 1970; absent when nothing waits. What is done
   * after everything else does not count: it is behind whenever there is much to do, whether anything died or not.
   */
  oldestWaiting(): Promise<Map<string, number>>;
  /** Whether it says something of the product how soon it recovers. */
  judgesRecovery: boolean;
  close(): Promise<void>;
}

/** infra/chassis/adapters/files: folders carry a "+", and a trailer of this length follows the bytes. */
const TRAILER_BYTES = 256;

/** Regular turns are always there; what is in a queue otherwise is work. */
const JOBS = `
  select t.identifier as task, split_part(t.identifier, ':', 2) as service, j.created_at as since
  from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
  where t.identifier not like 'job:%:every:%'
  union all
  select event ->> 'type', group_name, (event ->> 'occurredAt')::timestamptz from chassis.deliveries`;

const MAILS = `select 'notifications' as service, queued_at as since from notifications.mails where state = 'waiting'`;

const SETTLED: Record<string, string> = {
  'payments that are not settled': `select count(*)::int as n from payments.payments where status <> 'succeeded'`,
  'refunds that are not settled': `select count(*)::int as n from payments.refunds where status <> 'succeeded'`,
  'package purchases that are not settled': `select count(*)::int as n from payments.package_purchases
    where status not in ('active', 'completed')`,
  'mails that wait': `select count(*)::int as n from notifications.mails where state = 'waiting'`,
  'mails that were dropped': `select count(*)::int as n from notifications.mails where state in ('refused', 'bounced')`,
};

/** Stores on PostgreSQL in both tiers. @param schemas those with an outbox of their own there */
export function postgresStores(databaseUrl: string, schemas: readonly string[]) {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 });
  const outboxes = schemas
    .map((schema) => `select '${schema}' as service, created_at as since from ${schema}._outbox`)
    .join(' union all ');
  const rows = async <T extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
    (await pool.query<T>(text, values)).rows;
  const counted = async (what: string, text: string) => ({
    what,
    count: (await rows<{ n: number }>(text))[0]!.n,
  });
  const deadLetters = async () => {
    const dead = await rows<{ task: string; error: string }>('select task, error from chassis.dead_letters');
    return {
      what: ['dead letters', ...dead.map(({ task, error }) => `${task}: ${error}`)].join('; '),
      count: dead.length,
    };
  };
  return {
    rows,
    leftovers: () =>
      Promise.all([
        counted('entries of outboxes', `select count(*)::int as n from (${outboxes}) o`),
        counted('events and jobs in queues', `select count(*)::int as n from (${JOBS}) j`),
        deadLetters(),
        ...Object.entries(SETTLED).map(([what, text]) => counted(what, text)),
      ]),
    async oldestWaiting() {
      const found = await rows<{ service: string; since: Date }>(
        `select service, min(since) as since from (
           select service, since from (${JOBS}) j union all ${outboxes} union all ${MAILS}) w group by service`,
      );
      return new Map(found.map(({ service, since }) => [service, since.getTime()]));
    },
    close: () => pool.end(),
  };
}

/** The embedded tier: PostgreSQL and a folder. */
export function embeddedStores(databaseUrl: string, objectsDir: string): Stores {
  const postgres = postgresStores(databaseUrl, SERVICES);
  const photosLeft = async () =>
    (
      await postgres.rows<{ n: number; since: Date | null }>(
        `select count(*)::int as n, min(uploaded_at) filter (where step = 'jpeg') as since
         from media.photos where step is not null`,
      )
    )[0]!;
  return {
    ...postgres,
    judgesRecovery: true,
    photos: () => postgres.rows(`select filename, order_id as "orderId", state from media.photos`),
    leftovers: async () => [
      ...(await postgres.leftovers()),
      { what: 'photos whose pictures are not made', count: (await photosLeft()).n },
    ],
    async oldestWaiting() {
      const { since } = await photosLeft();
      const oldest = await postgres.oldestWaiting();
      return since ? earlier(oldest, 'media', since.getTime()) : oldest;
    },
    async object(bucket, key) {
      const segments = key.split('/');
      const folders = segments.slice(0, -1).map((segment) => `${segment}+`);
      const bytes = await readFile(join(objectsDir, bucket, ...folders, segments.at(-1)!)).catch(
        () => undefined,
      );
      return bytes?.subarray(0, bytes.length - TRAILER_BYTES);
    },
  };
}

/** Something has waited for a service since then, too. */
export const earlier = (oldest: Map<string, number>, service: string, since: number): Map<string, number> =>
  oldest.set(service, Math.min(since, oldest.get(service) ?? Infinity));

/** The end of each partition, or what a group has handled of it: the next offset. */
export type Offsets = ReadonlyMap<string, number>;

interface Look {
  at: number;
  ends: Offsets;
  handled: Offsets;
}

/**
 * Since when a group is behind. Brokers tell how far it is, and never how old what it has not handled is: so the ends of its
 * partitions are remembered, and a look is over when all that was there at the time is handled. That it is never level with the
 * ends means nothing while more keeps coming.
 * @returns what takes one look after another and tells since when, in the time of the looks; undefined when nothing waits
 */
export function openBehind(): (look: Look) => number | undefined {
  const open: Omit<Look, 'handled'>[] = [];
  /** When the last look was that is over: what waits came after it. */
  let overAt: number | undefined;
  return ({ at, ends, handled }) => {
    open.push({ at, ends });
    while (open[0] && isOver(open[0].ends, handled)) overAt = open.shift()!.at;
    return open[0] && (overAt ?? open[0].at);
  };
}

/** A partition of which nothing was ever handled says nothing: its first event may be another group's. */
const isOver = (ends: Offsets, handled: Offsets): boolean =>
  [...ends].every(([partition, end]) => (handled.get(partition) ?? end) >= end);
