import { inspectMigrations } from '@arboleda/chassis/adapters/postgres/sql/migrate.ts';
import { faultOf } from '@arboleda/chassis/adapters/postgres/sql/migration-files.ts';
import type { Environment } from '@arboleda/chassis/environment.ts';
import { SERVICES } from '@arboleda/contracts/services.ts';
import { currentTable, OFFERED_FOR_DAYS, outdated, type RateTable } from '@arboleda/pricing/rates/rates.ts';
import pg from 'pg';
import { productMigrations } from '../embedded/product-migrations.ts';
import type { Finding } from './settings.ts';

const CONNECT_WITHIN_MS = 5_000;

/** The same as in the alert: a daily backup, with two hours to make it. */
export const OLD_BACKUP_SECONDS = 26 * 3600;

/** @param seconds age of the last backup; of the database before the first */
export const backupOld = (seconds: number): Finding =>
  `No backup was made for ${Math.floor(seconds / 3600)} hours: run npm run backup every day; see docs/operations.md.`;

export const ratesOld = (n: number): Finding =>
  `Exchange rates of ${n} currencies are too old, so their buyers see prices in dollars: set RATES_URL, or see pricing in the log.`;

/** A table, the rows of it that are wrong, and the finding when there are some. */
const WRONG_ROWS: [table: string, where: string, says: (n: number) => Finding][] = [
  ...SERVICES.map((service): [string, string, (n: number) => Finding] => [
    `${service}._outbox`,
    `created_at < now() - interval '1 minute'`,
    (n) =>
      `${n} events of ${service} have waited for more than a minute: start the product, and see ${service} in its log.`,
  ]),
  [
    'chassis.dead_letters',
    'true',
    (n) => `${n} events or jobs were given up: npm run dlq -- list says why, and replay tries them again.`,
  ],
  [
    'payments.payments',
    `reconcile_at < now() - interval '1 hour'`,
    (n) =>
      `${n} payments should have been looked up at Stripe an hour ago: start the product, and see payments in its log.`,
  ],
  [
    'payments.payments',
    `status = 'mismatched'`,
    (n) =>
      `${n} payments brought another amount than was asked: refund them, or enter the order, in the admin portal.`,
  ],
  [
    'payments.transfers',
    `status = 'pending' and created_at < now() - interval '1 day'`,
    (n) => `${n} bank transfers have waited for more than a day: an admin has to check the bank statement.`,
  ],
  [
    'notifications.mails',
    `state = 'waiting' and queued_at < now() - interval '1 hour'`,
    (n) =>
      `${n} emails have waited for more than an hour: check the mail server (SMTP_URL), and their errors in the admin portal.`,
  ],
  [
    'media.photos',
    `step is not null and state = 'accepted' and uploaded_at < now() - interval '1 hour'`,
    (n) => `${n} photos were sent more than an hour ago and are not shown: see media in the log.`,
  ],
  [
    'media.photos',
    'step is not null and due_at is null',
    (n) =>
      `Pictures of ${n} photos were given up: npm run dlq -- list says why, and replay tries them again.`,
  ],
];

/** Findings in an installation's database. */
export async function databaseFindings(
  databaseUrl: string,
  { now = () => new Date(), env = {} }: { now?: () => Date; env?: Environment } = {},
): Promise<Finding[]> {
  const client = toDatabase(databaseUrl);
  try {
    await client.connect();
  } catch (error) {
    const { code } = error as { code?: string };
    return [`Cannot connect to the database (${code ?? 'no answer'}): check that it runs, and DATABASE_URL.`];
  }
  try {
    const findings = [...(await clockFindings(client, now)), ...(await migrationFindings(client, env))];
    for (const [table, where, says] of WRONG_ROWS) {
      if (!(await isThere(client, table))) continue;
      const n = await numberOf(client, `select count(*)::int as n from ${table} where ${where}`);
      if (n > 0) findings.push(says(n));
    }
    return [...findings, ...(await rateFindings(client, now())), ...(await backupFindings(client))];
  } finally {
    await client.end();
  }
}

export function toDatabase(connectionString: string): pg.Client {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: CONNECT_WITHIN_MS });
  client.on('error', () => undefined);
  return client;
}

const numberOf = async (client: pg.Client, ask: string): Promise<number> =>
  (await client.query<{ n: number }>(ask)).rows[0]!.n;

const isThere = async (client: pg.Client, table: string) =>
  (await client.query<{ there: boolean }>('select to_regclass($1) is not null as there', [table])).rows[0]!
    .there;

async function rateFindings(client: pg.Client, now: Date): Promise<Finding[]> {
  if (!(await isThere(client, 'pricing.rate_tables'))) return [];
  const { rows } = await client.query<RateTable>(
    'select as_of::text as "asOf", source, rates, older from pricing.rate_tables order by id desc limit 1',
  );
  const old = outdated(currentTable(rows[0]), OFFERED_FOR_DAYS, now);
  return old.length > 0 ? [ratesOld(old.length)] : [];
}

async function backupFindings(client: pg.Client): Promise<Finding[]> {
  if (!(await isThere(client, 'chassis.backups'))) return [];
  const ageSeconds = await numberOf(
    client,
    `select extract(epoch from now() - coalesce((select max(made_at) from chassis.backups),
       (select min(applied_at) from chassis._migrations)))::int as n`,
  );
  return ageSeconds > OLD_BACKUP_SECONDS ? [backupOld(ageSeconds)] : [];
}

const MOST_SKEW_MS = 5_000;

async function clockFindings(client: pg.Client, now: () => Date): Promise<Finding[]> {
  const { rows } = await client.query<{ at: Date }>('select clock_timestamp() as at');
  const skewMs = Math.abs(now().getTime() - rows[0]!.at.getTime());
  return skewMs > MOST_SKEW_MS
    ? [
        `The clocks of the database and of this machine are ${Math.round(skewMs / 1000)} s apart: turn on time synchronization (NTP) on both.`,
      ]
    : [];
}

/** Data that this version may not open, and migrations that its start will run. */
async function migrationFindings(client: pg.Client, env: Environment): Promise<Finding[]> {
  const states = await inspectMigrations(client, productMigrations(env));
  return states.flatMap((state) => {
    const { schema, pending } = state;
    const fault = faultOf(state);
    if (fault) return [fault.message];
    const isThere = states.some((one) => one.schema === schema && one.applied.length > 0);
    if (!isThere || pending.length === 0) return [];
    return [`The database of ${schema} lacks ${pending.join(', ')}: start this version, which migrates it.`];
  });
}
