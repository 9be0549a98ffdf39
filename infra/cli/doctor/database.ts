import { SERVICES } from '@arboleda/contracts/services.ts';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { backupOld, type Finding, OLD_BACKUP_SECONDS, paidWithoutOrder } from './settings.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const CONNECT_WITHIN_MS = 5_000;

/** Queries that return a number, with the finding when it is not 0. */
const QUESTIONS: { table: string; ask: string; says: (n: number) => Finding }[] = [
  ...SERVICES.map((service) => ({
    table: `${service}._outbox`,
    ask: `select count(*)::int as n from ${service}._outbox where created_at < now() - interval '1 minute'`,
    says: (n: number) =>
      `${n} events of ${service} are older than a minute and not handed over: start the product, and see ${service} in its log.`,
  })),
  {
    table: 'chassis.dead_letters',
    ask: 'select count(*)::int as n from chassis.dead_letters',
    says: (n) =>
      `${n} events or jobs were given up: npm run dlq -- list says why, and replay tries them again.`,
  },
  {
    table: 'chassis.backups',
    ask: `select case when age > ${OLD_BACKUP_SECONDS} then age else 0 end as n from (
            select extract(epoch from now() - coalesce(
              (select max(made_at) from chassis.backups), (select min(applied_at) from chassis._migrations)
            ))::int as age
          ) as last`,
    says: backupOld,
  },
  {
    table: 'payments.payments',
    ask: `select count(*)::int as n from payments.payments where reconcile_at < now() - interval '1 hour'`,
    says: (n) =>
      `${n} payments should have been looked up at Stripe an hour ago: start the product, and see payments in its log.`,
  },
  {
    table: 'payments.payments',
    ask: `select count(*)::int as n from payments.payments where status = 'mismatched'`,
    says: (n) =>
      `${n} payments brought another amount than was asked: look at them in the admin's portal and refund them or enter the order.`,
  },
  {
    table: 'orders.orders',
    ask: `select count(*)::int as n from payments.all_payments as paid
          where status = 'succeeded' and paid_at < now() - interval '1 minute'
            and not exists (select from orders.orders where id = paid.order_id)`,
    says: paidWithoutOrder,
  },
  {
    table: 'payments.transfers',
    ask: `select count(*)::int as n from payments.transfers where status = 'pending' and created_at < now() - interval '1 day'`,
    says: (n) =>
      `${n} bank transfers wait for more than a day: an admin has to compare them with the bank's statement.`,
  },
  {
    table: 'notifications.mails',
    ask: `select count(*)::int as n from notifications.mails where state = 'waiting' and queued_at < now() - interval '1 hour'`,
    says: (n) =>
      `${n} mails wait for more than an hour: see whether the mail server answers (SMTP_URL), and their errors in the admin's portal.`,
  },
  {
    table: 'media.photos',
    ask: `select count(*)::int as n from media.photos
          where step is not null and state = 'accepted' and uploaded_at < now() - interval '1 hour'`,
    says: (n) => `${n} photos are kept and not shown for more than an hour: see media in the log.`,
  },
  {
    table: 'media.photos',
    ask: 'select count(*)::int as n from media.photos where step is not null and due_at is null',
    says: (n) =>
      `Pictures of ${n} photos were given up: npm run dlq -- list says why, and replay tries them again.`,
  },
];

/** Findings in an installation's database. */
export async function databaseFindings(databaseUrl: string, now = () => new Date()): Promise<Finding[]> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: CONNECT_WITHIN_MS });
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    const { code } = error as { code?: string };
    return [`The database does not let us in (${code ?? 'no answer'}): see that it runs, and DATABASE_URL.`];
  }
  try {
    const findings = [...(await clockFindings(client, now)), ...(await migrationFindings(client))];
    for (const question of QUESTIONS) findings.push(...(await answer(client, question)));
    return findings;
  } finally {
    await client.end();
  }
}

async function answer(
  client: pg.Client,
  { table, ask, says }: (typeof QUESTIONS)[number],
): Promise<Finding[]> {
  if (!(await isThere(client, table))) return [];
  const { rows } = await client.query<{ n: number }>(ask);
  return rows[0]!.n > 0 ? [says(rows[0]!.n)] : [];
}

const isThere = async (client: pg.Client, table: string) =>
  (await client.query<{ there: boolean }>('select to_regclass($1) is not null as there', [table])).rows[0]!
    .there;

const MOST_SKEW_MS = 5_000;

async function clockFindings(client: pg.Client, now: () => Date): Promise<Finding[]> {
  const { rows } = await client.query<{ at: Date }>('select clock_timestamp() as at');
  const skewMs = Math.abs(now().getTime() - rows[0]!.at.getTime());
  return skewMs > MOST_SKEW_MS
    ? [
        `The clocks of the database and of this machine are ${Math.round(skewMs / 1000)} s apart: turn time synchronisation (NTP) on at both.`,
      ]
    : [];
}

async function migrationFindings(client: pg.Client): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const service of SERVICES) {
    const folder = join(ROOT, 'services', service, 'migrations');
    if (!existsSync(folder) || !(await isThere(client, `${service}._migrations`))) continue;
    const { rows } = await client.query<{ name: string }>(`select name from ${service}._migrations`);
    const done = new Set(rows.map(({ name }) => name));
    const missing = readdirSync(folder).filter((name) => name.endsWith('.sql') && !done.has(name));
    if (missing.length > 0)
      findings.push(
        `The database of ${service} lacks ${missing.join(', ')}: start this version, which brings it up to date.`,
      );
  }
  return findings;
}
