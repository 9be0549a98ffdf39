import { openFileObjects } from '@arboleda/chassis/adapters/files/files.ts';
import { openMinioObjects } from '@arboleda/chassis/adapters/minio/minio.ts';
import type { Environment } from '@arboleda/chassis/config.ts';
import type { ObjectStore } from '@arboleda/chassis/ports/object-store.ts';
import { TRAFFIC } from '@arboleda/contracts/events/traffic.ts';
import { hasDocuments, SERVICES } from '@arboleda/contracts/services.ts';
import { Kafka, logLevel } from 'kafkajs';
import { MongoClient } from 'mongodb';
import { join } from 'node:path';
import pg from 'pg';

interface Left {
  what: string;
  count: number;
}

/** Work that waits in one engine. `oldest`: since when, for each service, in ms since 1970. */
interface Waiting {
  left: Left[];
  oldest: [service: string, since: number][];
}

/** Stores and queues of either tier, by the addresses in the environment. */
export interface Stores {
  rows<T extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<T[]>;
  /** undefined when there is no such object. */
  object(bucket: string, key: string): Promise<Uint8Array | undefined>;
  /** Work that is not finished, by kind. */
  leftovers(): Promise<Left[]>;
  /**
   * Reads all queues once. @returns whether nothing from before a moment waits for a service. Work of low priority, such as newer formats
   * of photos, does not count
   */
  look(): Promise<(service: string, since: number) => boolean>;
  /** Whether recovery times say something about the product. */
  judgesRecovery: boolean;
  close(): Promise<void>;
}

export async function openStores(env: Environment): Promise<Stores> {
  const pool = new pg.Pool({ connectionString: env.DATABASE_URL!, max: 2 });
  const rows: Stores['rows'] = async (text, values = []) => (await pool.query(text, values)).rows;
  const mongo = env.MONGODB_URL ? await mediaOnMongo(env.MONGODB_URL) : undefined;
  const kafka = env.KAFKA_BROKERS ? await groupsOnKafka(env.KAFKA_BROKERS.split(',')) : undefined;
  const postgres = servicesOnPostgres(rows, !mongo);
  const buckets = new Map<string, Promise<ObjectStore>>();
  return {
    rows,
    async object(bucket, key) {
      const opened = buckets.get(bucket) ?? objectsOf(env, bucket);
      buckets.set(bucket, opened);
      return (await opened).read(key);
    },
    leftovers: async () => [
      ...(await postgres.waits()).left,
      ...(await postgres.unsettled()),
      ...((await mongo?.waits())?.left ?? []),
      ...((await kafka?.left()) ?? []),
    ],
    async look() {
      const oldest = [...(await postgres.waits()).oldest, ...((await mongo?.waits())?.oldest ?? [])];
      const hasHandled = await kafka?.look();
      return (service, since) =>
        oldest.every(([name, at]) => name !== service || at > since) &&
        (hasHandled?.(service, since) ?? true);
    },
    judgesRecovery: mongo?.judgesRecovery ?? true,
    async close() {
      await Promise.all([pool.end(), mongo?.close(), kafka?.close()]);
    },
  };
}

const objectsOf = (env: Environment, bucket: string): Promise<ObjectStore> =>
  env.S3_ENDPOINT
    ? openMinioObjects({
        endpoint: env.S3_ENDPOINT,
        accessKey: env.S3_ACCESS_KEY!,
        secretKey: env.S3_SECRET_KEY!,
        region: 'us-east-1',
        bucket: `arboleda-${bucket}`,
      })
    : openFileObjects(join(env.OBJECTS_DIR!, bucket));

/** All queues, without periodic jobs, which are always there. */
const QUEUES = `
  select split_part(t.identifier, ':', 2) as service, j.created_at as since
  from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
  where t.identifier not like 'job:%:every:%'
  union all select group_name, (event ->> 'occurredAt')::timestamptz from chassis.deliveries
  union all select 'notifications', queued_at from notifications.mails where state = 'waiting'`;

/** Pictures of a photo are urgent until its first one is made. */
const PHOTOS = `select 'media', uploaded_at from media.photos where step = 'jpeg'`;

const UNSETTLED = {
  'payments that are not settled': `select from payments.payments where status <> 'succeeded'`,
  'refunds that are not settled': `select from payments.refunds where status <> 'succeeded'`,
  'package purchases that are not settled': `select from payments.package_purchases where status not in ('active', 'completed')`,
  'mails that were dropped': `select from notifications.mails where state in ('refused', 'bounced')`,
  'dead letters': `select from chassis.dead_letters`,
};
const PICTURES = { 'photos whose pictures are not made': 'select from media.photos where step is not null' };

function servicesOnPostgres(rows: Stores['rows'], hasMedia: boolean) {
  const outboxes = SERVICES.filter((name) => !hasDocuments(name) || hasMedia).map(
    (schema) => `select '${schema}' as service, created_at as since from ${schema}._outbox`,
  );
  const queues = [QUEUES, ...outboxes, ...(hasMedia ? [PHOTOS] : [])].join(' union all ');
  const unsettled = { ...UNSETTLED, ...(hasMedia && PICTURES) };
  return {
    async waits(): Promise<Waiting> {
      const found = await rows<{ service: string; count: number; since: Date }>(
        `select service, count(*)::int as count, min(since) as since from (${queues}) w group by service`,
      );
      return {
        left: found.map(({ service, count }) => ({ what: `events, jobs or mails of ${service}`, count })),
        oldest: found.map(({ service, since }) => [service, since.getTime()]),
      };
    },
    unsettled: (): Promise<Left[]> =>
      Promise.all(
        Object.entries(unsettled).map(async ([what, text]) => ({ what, count: (await rows(text)).length })),
      ),
  };
}

interface PhotoDocument {
  outbox?: { at: Date }[];
  photo: { uploadedAt: string; work?: { step: string } };
}

async function mediaOnMongo(url: string) {
  const mongo = await new MongoClient(url).connect();
  // FerretDB replaces MongoDB where tests have no registry, and reads whole collections for each query.
  const { ferretdbVersion } = await mongo.db('admin').command({ buildInfo: 1 });
  const photos = mongo.db('media').collection<PhotoDocument>('photos');
  const isLeft = { $or: [{ 'outbox.at': { $gt: new Date(0) } }, { 'photo.work.step': { $exists: true } }] };
  return {
    async waits(): Promise<Waiting> {
      const found = await photos.find(isLeft).toArray();
      const oldest = found.flatMap(({ outbox = [], photo }) => [
        ...outbox.map(({ at }) => at.getTime()),
        ...(photo.work?.step === 'jpeg' ? [Date.parse(photo.uploadedAt)] : []),
      ]);
      const left = [{ what: 'photos with events or pictures to be made', count: found.length }];
      return { left, oldest: oldest.map((since) => ['media', since]) };
    },
    judgesRecovery: ferretdbVersion === undefined,
    close: () => mongo.close(),
  };
}

/** By topic and partition. */
type Offsets = ReadonlyMap<string, number>;
interface Progress {
  ends: Offsets;
  handled: Offsets;
}

/**
 * Kafka does not say how old a waiting event is. A group has caught up with a moment once it has handled everything that was there at the
 * first look after it. Partitions in which a group never handled anything are ignored.
 */
export function openMarks(): (group: string, since: number, progress: Progress) => boolean {
  const marks = new Map<string, Offsets>();
  return (group, since, { ends, handled }) => {
    const mark = marks.get(`${group} ${since}`) ?? ends;
    marks.set(`${group} ${since}`, mark);
    return [...mark].every(([partition, end]) => (handled.get(partition) ?? end) >= end);
  };
}

async function groupsOnKafka(brokers: string[]) {
  const admin = new Kafka({ brokers, clientId: 'checker', logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  const groups: string[] = SERVICES.filter((name) => TRAFFIC[name].listensTo.length > 0);
  /** Reads the ends first, so that no group is ahead of them by mistake. */
  const offsetsOf = async (groupId: string): Promise<Progress> => {
    const topics = (await admin.fetchOffsets({ groupId })).map(({ topic }) => topic);
    const ends = new Map<string, number>();
    for (const topic of topics)
      for (const { partition, high } of await admin.fetchTopicOffsets(topic))
        ends.set(`${topic}/${partition}`, Number(high));
    const handled = new Map<string, number>();
    for (const { topic, partitions } of await admin.fetchOffsets({ groupId }))
      // -1: nothing was committed yet.
      for (const { partition, offset } of partitions)
        if (Number(offset) >= 0) handled.set(`${topic}/${partition}`, Number(offset));
    return { ends, handled };
  };
  const hasHandled = openMarks();
  return {
    async look() {
      const all = new Map(
        await Promise.all(groups.map(async (name) => [name, await offsetsOf(name)] as const)),
      );
      return (service: string, since: number): boolean => {
        const progress = all.get(service);
        return !progress || hasHandled(service, since, progress);
      };
    },
    async left(): Promise<Left[]> {
      const lags = await Promise.all(
        groups.map(async (name) => {
          const { ends, handled } = await offsetsOf(name);
          return [...handled].reduce((sum, [at, offset]) => sum + Math.max(0, ends.get(at)! - offset), 0);
        }),
      );
      const topics = (await admin.listTopics()).filter((topic) => topic.endsWith('.dead-letters'));
      const dead = await Promise.all(topics.map((topic) => admin.fetchTopicOffsets(topic)));
      const inTopics = dead.flat().reduce((sum, { high, low }) => sum + Number(high) - Number(low), 0);
      return [
        { what: 'events that a group has not handled', count: lags.reduce((sum, lag) => sum + lag, 0) },
        { what: 'dead letters in topics', count: inTopics },
      ];
    },
    close: () => admin.disconnect(),
  };
}
