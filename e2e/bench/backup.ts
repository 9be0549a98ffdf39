import { openFileObjects } from '@arboleda/chassis/adapters/files/files.ts';
import { backUp, restore } from '@arboleda/cli/backup/embedded.ts';
import { clearPostgres } from '@arboleda/postgres/postgres.ts';
import { randomBytes } from 'node:crypto';
import { cp, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { type FilledProduct, openFilledProduct } from '../api/filled-product.ts';
import { openDatabase } from '../harness/database.ts';
import { openDataDir } from '../harness/product.ts';
import { type Figures, ratio, withSpread } from './figures.ts';

const ORDERS = 100_000;
const PHOTOS = 1_000;
const ROUNDS = 3;
/** Usual sizes of a phone's photo and of a picture made from it. */
const ORIGINAL_BYTES = 500_000;
const PICTURE_BYTES = 60_000;

/** Times a backup of a running installation and its restore, beside a plain copy of the server's files. */
export async function backup({ quick }: { quick: boolean }): Promise<Figures> {
  const [orders, photos, rounds] = quick ? [100, 10, 1] : [ORDERS, PHOTOS, ROUNDS];
  await using closing = new AsyncDisposableStack();
  const filled = await openFilledProduct();
  closing.defer(filled.close);
  await multiply(filled, orders, photos);
  const { dataDir } = filled.product;
  const backups: number[] = [];
  const restores: number[] = [];
  const copies: number[] = [];
  let bytes = { backup: 0, files: 0 };
  for (let round = 0; round < rounds; round++) {
    const data = await openDataDir();
    const to = (name: string) => join(data.path, name);
    backups.push(await timed(() => backUp({ DATA_DIR: dataDir }, to('backup'))));
    restores.push(await timed(() => restore({ DATA_DIR: to('restored') }, to('backup'))));
    copies.push(await timed(() => cp(dataDir, to('copy'), { recursive: true, filter: isFile })));
    bytes = { backup: await sizeOf(to('backup')), files: await sizeOf(to('copy')) };
    await clearPostgres(join(to('restored'), 'postgres'));
    await data.remove();
  }
  const row = (what: string, took: number[], size?: number) => [
    what,
    withSpread(
      took.map((ms) => ms / 1_000),
      1,
    ),
    size === undefined ? '' : `${(size / 1e6).toFixed(1)} MB`,
    ratio(took, copies),
  ];
  return {
    bench: 'backup',
    work: `npm run backup of a running npm start with ${orders.toLocaleString('en')} orders, their payments, assignments and emails, and ${photos.toLocaleString('en')} photos of ${ORIGINAL_BYTES / 1_000} kB with their variants; ${rounds} rounds in turn.`,
    tables: [
      {
        title: 'Seconds and size',
        columns: ['what', 'seconds', 'size', 'to the copy'],
        plotted: 'seconds',
        rows: [
          row('backup', backups, bytes.backup),
          row('restore into npm start', restores),
          row('a plain copy of the data folder', copies, bytes.files),
        ],
      },
    ],
  };
}

/** The server's socket cannot be copied. */
const isFile = (path: string) => !path.includes('.s.PGSQL');

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

async function sizeOf(path: string): Promise<number> {
  const found = await stat(path);
  if (!found.isDirectory()) return found.size;
  let total = 0;
  for (const name of await readdir(path)) total += await sizeOf(join(path, name));
  return total;
}

/** One order by card with a photo, copied as often as asked, with new ids wherever they stand. */
async function multiply({ product }: FilledProduct, orders: number, photos: number): Promise<void> {
  await using database = await openDatabase(product.databaseUrl);
  const { rows } = await database.query<Seed>(SEED);
  const seed = rows[0]!;
  for (const [table, where, changed] of TABLES)
    await database.query(await multiplying(database, table, where, changed, seed, orders, photos));
  const objects = await openFileObjects(join(product.dataDir, 'objects', 'media'));
  const keys: string[] = [];
  for await (const { key } of objects.list())
    if (key.includes(seed.photo) || key.includes(seed.filename)) keys.push(key);
  for (const key of keys) {
    const info = (await objects.info(key))!;
    for (let n = 1; n <= photos; n++) {
      const to = key
        .replace(seed.photo, `${seed.photo}-${n}`)
        .replace(seed.filename, nameOf(seed.filename, n));
      const sizeBytes = key.startsWith('originals/') ? ORIGINAL_BYTES : PICTURE_BYTES;
      // Each photo differs, or the compressor would find that they are one.
      await objects.put(to, randomBytes(sizeBytes), info.contentType);
    }
  }
}

interface Seed {
  order: string;
  token: string;
  payment: string;
  intent: string;
  photo: string;
  filename: string;
}

const SEED = `select o.id as order, o.token, o.payment_id as payment, o.transaction_id as intent,
    p.id as photo, p.filename from orders.orders o join media.photos p on p.order_id = o.id
  where o.payment_kind = 'card' and jsonb_array_length(o.photos) > 0 limit 1`;

const nameOf = (filename: string, n: number) => filename.replace('.', `-${n}.`);

/** Tables, which rows of them, and fields that the ids do not make unique. */
const TABLES: [table: string, where: string, changed: string][] = [
  ['payments.payments', `one.order_id = '{order}'`, `jsonb_build_object('idempotency_key', null)`],
  ['payments.stripe_events', `one.payment_id = '{payment}'`, `jsonb_build_object('id', one.id || '-' || n)`],
  [
    'orders.orders',
    `one.id = '{order}'`,
    `jsonb_build_object('receipt_number', 'R-' || n, 'gift', null, 'gift_token', null) || case when n > {photos} then '{"photos": []}' else '{}' end::jsonb`,
  ],
  ['orders.receipts', `one.order_id = '{order}'`, `jsonb_build_object('number', one.number + n)`],
  ['assignments.assignments', `one.order_id = '{order}'`, `'{}'`],
  ['notifications.orders', `one.id = '{order}'`, `'{}'`],
  [
    'notifications.mails',
    `one.order_id = '{order}'`,
    `jsonb_build_object('id', one.id || '-' || n, 'event_id', one.event_id || '-' || n)`,
  ],
  ['media.photos', `one.order_id = '{order}' and n <= {photos}`, `jsonb_build_object('client_key', null)`],
  ...['orders', 'assignments', 'notifications'].map((service): [string, string, string] => [
    `${service}._inbox`,
    `one.event_id like '%{order}%'`,
    `jsonb_build_object('event_id', one.event_id || '-' || n)`,
  ]),
];

async function multiplying(
  database: Pick<pg.Client, 'query'>,
  table: string,
  where: string,
  changed: string,
  seed: Seed,
  orders: number,
  photos: number,
): Promise<string> {
  const { rows } = await database.query<{ columns: string; copied: string }>(
    `select string_agg(quote_ident(attname), ', ') as columns, string_agg('copied.' || quote_ident(attname), ', ') as copied
     from pg_attribute
     where attrelid = '${table}'::regclass and attnum > 0 and not attisdropped and attgenerated = '' and attidentity = ''`,
  );
  const { columns, copied } = rows[0]!;
  const filled = (text: string) =>
    text
      .replace('{order}', seed.order)
      .replace('{payment}', seed.payment)
      .replace('{photos}', String(photos));
  const renamed = [
    [seed.order, `lpad(to_hex(n), 24, '0')`],
    [seed.filename, `'${seed.filename.replace('.jpg', '-')}' || n || '.jpg'`],
    ...[seed.token, seed.payment, seed.intent, seed.photo].map((id) => [id, `'${id}-' || n`]),
  ].reduce((text, [from, to]) => `replace(${text}, '${from}', ${to})`, 'to_jsonb(one)::text');
  return `insert into ${table} (${columns})
    select ${copied}
    from ${table} as one, generate_series(1, ${orders}) as n,
      lateral jsonb_populate_record(null::${table}, ${renamed}::jsonb || ${filled(changed)}::jsonb) as copied
    where ${filled(where)}`;
}
