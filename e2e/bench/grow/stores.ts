import { openStore as openAssignments } from '@arboleda/assignments/store.ts';
import { openPlatform } from '@arboleda/chassis/platform.ts';
import type { Platform } from '@arboleda/chassis/ports/platform.ts';
import { openStore as openOrders } from '@arboleda/orders/store.ts';
import { MongoClient } from 'mongodb';
import pg from 'pg';
import { pino } from 'pino';
import { type Batch, batches } from './batches.ts';

/** Engines that services can be started on. */
export interface Engines {
  databaseUrl: string;
  /** Documents are there when it is set, else in PostgreSQL. */
  mongodbUrl?: string | undefined;
}

/** Puts `total` orders and what belongs to them straight into the stores; indexes and tallies are made by the services when all is there. */
export async function fill(engines: Engines, total: number, nowMs: number): Promise<void> {
  await withDocuments(engines, async (documents) => {
    for (const [, service, name] of PLACES)
      await (await documents(service)).collection({ name, indexes: [] });
  });
  await (engines.mongodbUrl
    ? fillMongodb(engines.mongodbUrl, total, nowMs)
    : fillPostgres(engines.databaseUrl, total, nowMs));
  await withDocuments(engines, async (documents) => {
    await openOrders(await documents('orders'));
    await openAssignments(await documents('assignments'), () => new Date());
  });
  await onPostgres(engines.databaseUrl, (client) => client.query('vacuum analyze'));
}

async function withDocuments(
  { databaseUrl, mongodbUrl }: Engines,
  run: (documents: Platform['documents']) => Promise<unknown>,
): Promise<void> {
  const config = { databaseUrl, mongodbUrl, objectsDir: '', smtpUrl: '', mailFrom: '' };
  const platform = await openPlatform(config, pino({ level: 'silent' }));
  await run(platform.documents).finally(() => platform.close());
}

const PLACES: readonly (readonly [keyof Batch, service: string, collection: string])[] = [
  ['workers', 'assignments', 'workers'],
  ['orders', 'orders', 'orders'],
  ['assignments', 'assignments', 'assignments'],
];

const fillPostgres = (databaseUrl: string, total: number, nowMs: number): Promise<void> =>
  onPostgres(databaseUrl, async (client) => {
    await client.query('set synchronous_commit = off');
    for (const batch of batches(total, nowMs)) {
      for (const [kind, schema, table] of PLACES) {
        if (batch[kind].length === 0) continue;
        await client.query(
          `insert into ${schema}.${table} (id, version, doc)
           select doc ->> '_id', 1, doc from jsonb_array_elements($1::jsonb) as doc`,
          [JSON.stringify(batch[kind])],
        );
      }
    }
  });

async function onPostgres(databaseUrl: string, run: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await run(client).finally(() => client.end());
}

async function fillMongodb(url: string, total: number, nowMs: number): Promise<void> {
  const client = new MongoClient(url, { ignoreUndefined: true });
  const prefix = new URL(url).pathname.slice(1);
  try {
    for (const batch of batches(total, nowMs)) {
      for (const [kind, service, collection] of PLACES) {
        const documents = batch[kind].map((doc) => ({ _id: doc._id, version: 1, doc }));
        if (documents.length === 0) continue;
        await client
          .db(`${prefix}_${service}`)
          .collection<{ _id: string }>(collection)
          .insertMany(documents, { ordered: false });
      }
    }
  } finally {
    await client.close();
  }
}

/** A database of its own on each engine that is there. */
export async function createDatabases(engines: Engines, name: string): Promise<Engines> {
  await onPostgres(engines.databaseUrl, async (client) => {
    await client.query(`create database ${name}`);
    // Of the making of indexes alone.
    await client.query(`alter database ${name} set maintenance_work_mem = '512MB'`);
  });
  const at = (url: string) => Object.assign(new URL(url), { pathname: `/${name}` }).href;
  return {
    databaseUrl: at(engines.databaseUrl),
    ...(engines.mongodbUrl && { mongodbUrl: at(engines.mongodbUrl) }),
  };
}

/** Takes away what was made on an engine that others use too. */
export async function dropMongodb({ mongodbUrl }: Engines): Promise<void> {
  if (!mongodbUrl) return;
  const client = new MongoClient(mongodbUrl);
  const prefix = new URL(mongodbUrl).pathname.slice(1);
  try {
    for (const service of ['orders', 'assignments']) await client.db(`${prefix}_${service}`).dropDatabase();
  } finally {
    await client.close();
  }
}
