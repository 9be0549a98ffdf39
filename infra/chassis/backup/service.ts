import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { ObjectStore } from '../ports/object-store.ts';
import { collectFacts, copyOutbox, factsOf } from './facts.ts';
import { type DeadLetterCopy, type Frame, type Header, toFrame } from './format.ts';
import { waitedFor } from './pause.ts';
import { copyRows, openRowWriter } from './rows.ts';
import type { DocumentWriter, ServiceStores } from './stores.ts';

/** One service's rows, jobs, given-up jobs, documents, objects and facts. See format.ts. */
export async function* copyService(stores: ServiceStores): AsyncGenerator<Buffer> {
  const { service, client, mongodbUrl, documents, objects } = stores;
  const facts = collectFacts();
  if (client) {
    yield toFrame({ kind: 'schema', service, ...(await migrationsOf(client, service)) });
    yield* copyRows(client, service, { without: documents?.tables ?? [] });
    yield* copyOutbox(client, service);
    yield* copyJobs(client, service);
    yield* copyLetters(client, service);
    for (const [fact, value] of await factsOf(client, service)) yield* facts.add(fact, value);
  } else {
    yield toFrame({ kind: 'schema', service, migrations: [], chassis: [] });
  }
  const found = mongodbUrl ? documents?.fromMongodb(mongodbUrl) : client && documents?.fromPostgres(client);
  for await (const { document, outbox, facts: its } of found ?? []) {
    yield toFrame({ kind: 'document', document });
    for (const event of outbox) yield toFrame({ kind: 'outbox', event });
    for (const [fact, value] of its) yield* facts.add(fact, value);
  }
  for await (const { key } of objects?.list() ?? []) {
    const [info, bytes] = [
      await waitedFor(() => objects!.info(key)),
      await waitedFor(() => objects!.read(key)),
    ];
    // Deleted meanwhile: if a row still refers to it, the comparison at the end says so.
    if (!info || !bytes) continue;
    if (bytes.length !== info.sizeBytes)
      throw new Error(`the store holds ${info.sizeBytes} bytes of ${key} and gave ${bytes.length}`);
    yield toFrame({ kind: 'object', key, contentType: info.contentType }, bytes);
  }
  yield* facts.rest();
}

async function migrationsOf(client: pg.Client, service: string) {
  const names = async (table: string) => {
    const { rows } = await client.query<{ name: string }>(
      `select name from ${service}.${table} order by name`,
    );
    return rows.map(({ name }) => name);
  };
  return { migrations: await names('_migrations'), chassis: await names('_chassis_migrations') };
}

const JOBS_OF = `starts_with(task.identifier, 'job:' || $1 || ':')`;

/** graphile-worker has no public view of payloads, so its tables are read; jobs are restored by its function. */
async function* copyJobs(client: pg.Client, service: string): AsyncGenerator<Buffer> {
  const { rows } = await client.query<{
    task: string;
    payload: unknown;
    runAt: string;
    maxAttempts: number;
    key: string | null;
  }>(
    `select task.identifier as task, job.payload, job.run_at::text as "runAt", job.max_attempts as "maxAttempts", job.key
     from graphile_worker._private_jobs as job join graphile_worker._private_tasks as task on task.id = job.task_id
     where ${JOBS_OF} order by job.run_at, job.id`,
    [service],
  );
  for (const job of rows) yield toFrame({ kind: 'job', ...job });
}

const LETTER = `id::text, kind, owner, task, key, payload, error, failed_at::text as "failedAt"`;

async function* copyLetters(client: pg.Client, service: string): AsyncGenerator<Buffer> {
  const { rows } = await client.query<DeadLetterCopy>(
    `select ${LETTER} from chassis.dead_letters where kind = 'job' and owner = $1 order by failed_at, id`,
    [service],
  );
  for (const letter of rows) yield toFrame({ kind: 'letter', letter });
}

/** Given-up events of all services, where PostgreSQL has them. */
export const eventLetters = async (client: pg.Client): Promise<DeadLetterCopy[]> =>
  (
    await client.query<DeadLetterCopy>(
      `select ${LETTER} from chassis.dead_letters where kind = 'event' order by failed_at, id`,
    )
  ).rows;

/** A dead letter keeps its id. */
export const restoreLetter = async (client: pg.Client, letter: DeadLetterCopy): Promise<void> => {
  const { id, kind, owner, task, key, payload, error, failedAt } = letter;
  await client.query(
    `insert into chassis.dead_letters (id, kind, owner, task, key, payload, error, failed_at) values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [id, kind, owner, task, key, JSON.stringify(payload), error, failedAt],
  );
};

/** Brings the tables of a service to the migrations of a backup, or to all when it says none. */
export type PrepareTables = (upTo?: { migrations: string[]; chassis: string[] }) => Promise<void>;

/**
 * Restores one service from its stream. Rows are written in one transaction into tables as they were when they were copied;
 * the migrations after that run then.
 * @throws when the server does not hold what was copied
 */
export async function restoreService(
  stores: ServiceStores,
  frames: AsyncIterable<Frame>,
  prepare: PrepareTables,
): Promise<void> {
  const { service, client, mongodbUrl, documents, objects } = stores;
  let rows: Awaited<ReturnType<typeof openRowWriter>> | undefined;
  let isPastRows = false;
  let writer: DocumentWriter | undefined;
  const came: string[] = [];

  const pastRows = async () => {
    if (isPastRows) return;
    isPastRows = true;
    await rows?.end();
    if (!client) return;
    await client.query('commit');
    await prepare();
    await client.query('begin');
  };
  for await (const { header, bytes } of frames) {
    if (header.kind === 'schema') {
      if (!client) continue;
      const { migrations, chassis } = header;
      await prepare(migrations.length > 0 ? { migrations, chassis } : undefined);
      await client.query('begin');
      if (migrations.length > 0)
        rows = await openRowWriter(client, service, { without: documents?.tables ?? [] });
      continue;
    }
    if (rows && !isPastRows && (await rows.take({ header, bytes }))) continue;
    await pastRows();
    if (header.kind === 'job') await restoreJob(client!, header);
    else if (header.kind === 'letter') await restoreLetter(client!, header.letter);
    else if (header.kind === 'document') {
      writer ??= mongodbUrl
        ? await documents!.toMongodb(mongodbUrl)
        : { write: (one) => documents!.toPostgres(client!, one), close: async () => undefined };
      await writer.write(header.document);
      came.push(fingerprint(header.document));
    } else if (header.kind === 'object') await restoreObject(objects!, header, bytes);
  }
  await writer?.close();
  await pastRows();
  await client?.query('commit');
  if (came.length > 0) await compareDocuments(stores, came);
}

/** @throws when there is anything already */
export async function requireEmpty({
  service,
  client,
  mongodbUrl,
  documents,
  objects,
}: ServiceStores): Promise<void> {
  const found = await client?.query(
    `select from information_schema.tables where table_schema in ($1, 'chassis') limit 1`,
    [service],
  );
  if (found?.rowCount) throw new Error(`The database of ${service} is not empty.`);
  for await (const _document of (mongodbUrl && documents?.fromMongodb(mongodbUrl)) || [])
    throw new Error(`The documents of ${service} are not empty.`);
  for await (const { key } of objects?.list() ?? [])
    throw new Error(`The objects of ${service} are not empty: there is ${key}.`);
}

async function restoreObject(
  objects: ObjectStore,
  { key, contentType }: Extract<Header, { kind: 'object' }>,
  bytes: Uint8Array,
): Promise<void> {
  await objects.put(key, bytes, contentType);
  const held = await objects.read(key);
  if (!held || !Buffer.from(held).equals(bytes)) throw new Error(`the object ${key} is not as it was copied`);
}

/** Equal for equal documents, whatever the order of their fields. */
const fingerprint = (document: object): string =>
  createHash('sha256')
    .update(JSON.stringify(sorted(document)))
    .digest('base64url');

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, of]) => [name, sorted(of)]),
  );
}

async function compareDocuments({ client, mongodbUrl, documents }: ServiceStores, came: string[]) {
  const held: string[] = [];
  const found = mongodbUrl ? documents!.fromMongodb(mongodbUrl) : documents!.fromPostgres(client!);
  for await (const { document } of found) held.push(fingerprint(document));
  if (held.sort().join() !== came.sort().join())
    throw new Error(`the documents are not as they were copied: ${held.length} of ${came.length}`);
}

const restoreJob = async (
  client: pg.Client,
  { task, payload, runAt, maxAttempts, key }: Extract<Header, { kind: 'job' }>,
): Promise<void> =>
  void (await client.query(`select chassis.add_job($1, $2, $3, $4, $5, 'replace')`, [
    task,
    JSON.stringify(payload),
    runAt,
    maxAttempts,
    key,
  ]));
