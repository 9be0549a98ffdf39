import { BUCKETS, DATABASES, DOCUMENTS } from '@arboleda/cli/backup/containers.ts';
import type { Composed } from '../../harness/compose.ts';
import type { Fingerprint } from './fingerprint.ts';

/** Tables that change while the product is idle: queues, leases, expiring counters, and the back-up that was just made. */
export const CONTAINERS_MOVE =
  /^(\w+\.graphile_worker\.|\w+\.chassis\.backups|payments\.payments\.reconcile[rd]_|payments\.payments\.reconciliations|auth\.auth\.rate_limits|orders\.orders\.rate_limits|pricing\.pricing\.rate_refreshes)/;

/** The servers sum what they hold, or the services' drivers read it: no code of the back-up has a part in it. */
export async function ofContainers(product: Composed): Promise<Fingerprint> {
  const found: Fingerprint = new Map();
  for (const name of DATABASES) {
    const tables = await ask(product, name, TABLES);
    const sums = await ask(product, name, tables.map(sumOf).join(' union all '));
    for (const [table, sum] of sums.map((line) => line.split('|') as [string, string]))
      found.set(`${name}.${table.replaceAll('"', '')}`, sum);
  }
  const read = async (service: string, code: string) => {
    const command = [
      'run',
      '--rm',
      '--no-deps',
      '--no-TTY',
      service,
      'node',
      '--input-type=module',
      '--eval',
      code,
    ];
    const lines = (await product.compose(...command)).trim().split('\n').filter(Boolean);
    for (const [name, sum] of lines.map((line) => JSON.parse(line) as [string, string]))
      found.set(`${service}.${name}`, sum);
  };
  for (const service of DOCUMENTS) await read(service, READ_DOCUMENTS);
  for (const service of BUCKETS) await read(service, READ_OBJECTS);
  return found;
}

export async function ask(product: Composed, database: string, sql: string): Promise<string[]> {
  const psql = ['psql', '--username', 'postgres', '--tuples-only', '--no-align', '--dbname', database];
  const said = await product.compose('exec', '--no-TTY', 'postgres', ...psql, '--command', sql);
  return said.split('\n').filter(Boolean);
}

const TABLES = `select format('%I.%I', table_schema, table_name) from information_schema.tables
  where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema') order by 1`;
const sumOf = (table: string) =>
  `select '${table}', count(*) || ' rows ' || coalesce(md5(string_agg(row, '' order by row)), '')
   from (select md5(one::text) as row from ${table} as one) as rows`;

/** Each document as the server tells it, with the type of its id; and the indexes that are not the services' own. */
const READ_DOCUMENTS = `
  import { createHash } from 'node:crypto';
  import { BSON, MongoClient } from 'mongodb';
  const client = new MongoClient(process.env.MONGODB_URL);
  const db = client.db(process.env.SERVICE.split('/').at(-1));
  const tell = (name, of) => console.log(JSON.stringify([name, of]));
  for (const { name } of await db.listCollections().toArray()) {
    const rows = (await db.collection(name).find().toArray()).map((one) => BSON.EJSON.stringify(one, { relaxed: false }));
    tell(name, rows.length + ' rows ' + createHash('md5').update(rows.sort().join('')).digest('hex'));
    const indexes = (await db.collection(name).indexes()).map(({ name, key, unique, sparse }) => JSON.stringify([name, key, unique, sparse]));
    tell(name + ' indexes', indexes.sort().join(' '));
  }
  await client.close();`;

/** Each object by what the store itself says of it: its size and the sum of its bytes. */
const READ_OBJECTS = `
  import { Client } from 'minio';
  const { hostname, port } = new URL(process.env.S3_ENDPOINT);
  const client = new Client({ endPoint: hostname, port: Number(port), useSSL: false,
    accessKey: process.env.S3_ACCESS_KEY, secretKey: process.env.S3_SECRET_KEY });
  const bucket = 'arboleda-' + process.env.SERVICE.split('/').at(-1);
  for await (const { name, size } of client.listObjectsV2(bucket, '', true)) {
    const { etag, metaData } = await client.statObject(bucket, name);
    console.log(JSON.stringify(['object ' + name, 'sum ' + etag + ', ' + size + ' bytes, ' + metaData['content-type']]));
  }`;
