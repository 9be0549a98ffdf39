import type { Sql, Transaction } from '@arboleda/chassis/ports/sql.ts';
import type { NewEvent } from '@arboleda/contracts/events/index.ts';
import type { AdminRole } from '@arboleda/contracts/permissions.ts';
import type { Language, Role } from '@arboleda/contracts/roles.ts';
import { type Account, changedEvents } from './account.ts';

export interface AccountRow {
  id: string;
  role: Role;
  admin_role: AdminRole | null;
  email: string;
  name: string;
  password_hash: string;
  language: Language;
  email_verified: boolean;
  active: boolean;
  token_version: number;
  invitation_pending: boolean;
  revision: number;
  created_at: Date;
  updated_at: Date;
  code: string | null;
  region: string | null;
  capacity_trees: number | null;
}

export const SELECT_ACCOUNTS = `select a.id, a.role, a.admin_role, a.email, a.name, a.password_hash, a.language, a.email_verified,
  a.active, a.token_version, a.invitation_pending, a.revision, a.created_at, a.updated_at, w.code, w.region,
  w.capacity_trees
  from accounts a left join workers w on w.account_id = a.id`;

export async function accountById(
  db: Pick<Sql, 'query'>,
  id: string,
  lock: '' | 'for update of a' = '',
): Promise<Account | undefined> {
  const { rows } = await db.query<AccountRow>(`${SELECT_ACCOUNTS} where a.id = $1 ${lock}`, [id]);
  return rows[0] && toAccount(rows[0]);
}

/** By address; a worker also by code. Case-insensitive. */
export async function accountByLogin(
  db: Pick<Sql, 'query'>,
  role: Role,
  login: string,
): Promise<Account | undefined> {
  const { rows } = await db.query<AccountRow>(
    // One index per branch; an "or" across the two tables would scan all accounts.
    `${SELECT_ACCOUNTS} where a.role = $1 and a.id in (
       select id from accounts where role = $1 and lower(email) = lower($2)
       union all select account_id from workers where upper(code) = upper($2))
     order by lower(a.email) = lower($2) desc limit 1`,
    [role, login],
  );
  return rows[0] && toAccount(rows[0]);
}

/** @returns false when the role and address are taken */
export async function insertAccount(tx: Transaction, account: Account): Promise<boolean> {
  const { rowCount } = await tx.query(
    `insert into accounts (id, role, email, name, password_hash, language, email_verified, active, token_version,
       invitation_pending, revision, admin_role)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) on conflict do nothing`,
    [account.id, account.role, ...columns(account)],
  );
  if (rowCount === 0) return false;
  await saveWorker(tx, account);
  return true;
}

async function updateAccount(tx: Transaction, account: Account): Promise<void> {
  await tx.query(
    `update accounts set email = $2, name = $3, password_hash = $4, language = $5, email_verified = $6, active = $7,
     token_version = $8, invitation_pending = $9, revision = $10, admin_role = $11, updated_at = now() where id = $1`,
    [account.id, ...columns(account)],
  );
  await saveWorker(tx, account);
}

/** Writes a changed account and publishes the change, besides `events`. */
export async function saveChange(
  tx: Transaction,
  before: Account,
  after: Account,
  events: readonly NewEvent[] = [],
): Promise<void> {
  if (after === before) return;
  await updateAccount(tx, after);
  await tx.publish([...changedEvents(before, after), ...events], after.revision);
}

export async function eraseAccount(
  tx: Transaction,
  account: Account,
  events: readonly NewEvent[],
): Promise<void> {
  await tx.query('delete from accounts where id = $1', [account.id]);
  await tx.publish(events, account.revision + 1);
}

/** Whether an error is PostgreSQL's unique_violation of an index. */
export const violates = (thrown: unknown, index: string): boolean => {
  const { code, constraint } = thrown as { code?: string; constraint?: string };
  return code === '23505' && constraint === index;
};

/** Stores the same password hashed at today's cost, unless it was changed meanwhile. */
export async function replacePasswordHash(sql: Sql, account: Account, passwordHash: string): Promise<void> {
  await sql.query('update accounts set password_hash = $3 where id = $1 and password_hash = $2', [
    account.id,
    account.passwordHash,
    passwordHash,
  ]);
}

const columns = (account: Account) => [
  account.email,
  account.name,
  account.passwordHash,
  account.language,
  account.emailVerified,
  account.active,
  account.tokenVersion,
  account.invitationPending,
  account.revision,
  account.adminRole ?? null,
];

async function saveWorker(tx: Transaction, { id, worker }: Account): Promise<void> {
  if (!worker) return;
  await tx.query(
    `insert into workers (account_id, code, region, capacity_trees) values ($1, $2, $3, $4)
     on conflict (account_id) do update set code = $2, region = $3, capacity_trees = $4`,
    [id, worker.code, worker.region, worker.capacityTrees],
  );
}

export const toAccount = (row: AccountRow): Account => ({
  id: row.id,
  role: row.role,
  email: row.email,
  name: row.name,
  passwordHash: row.password_hash,
  language: row.language,
  emailVerified: row.email_verified,
  active: row.active,
  tokenVersion: row.token_version,
  invitationPending: row.invitation_pending,
  revision: row.revision,
  adminRole: row.admin_role ?? undefined,
  worker:
    row.code === null
      ? undefined
      : { code: row.code, region: row.region!, capacityTrees: row.capacity_trees! },
});
