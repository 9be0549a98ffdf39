import { lockedRecords } from '@arboleda/chassis/locked-records.ts';
import type { Sql, Transaction } from '@arboleda/chassis/ports/sql.ts';
import type { NewEvent } from '@arboleda/contracts/events/index.ts';
import type { AdminRole } from '@arboleda/contracts/permissions.ts';
import type { Language, Role } from '@arboleda/contracts/roles.ts';
import { type Account, changedEvents, type WorkerDetails } from './account.ts';

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
  worker: WorkerRow | null;
}

interface WorkerRow {
  account_id: string;
  code: string;
  region: string;
  capacity_trees: number;
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
  worker: row.worker ? toWorker(row.worker) : undefined,
});

const toWorker = ({ code, region, capacity_trees }: WorkerRow): WorkerDetails => ({
  code,
  region,
  capacityTrees: capacity_trees,
});

export const accounts = lockedRecords<Account, AccountRow>({
  table: 'accounts',
  key: 'id',
  columns: [
    'admin_role',
    'email',
    'name',
    'password_hash',
    'language',
    'email_verified',
    'active',
    'token_version',
    'invitation_pending',
    'revision',
  ],
  fixed: ['role'],
  stamped: 'updated_at',
  computed: `created_at, (select to_jsonb(w) from workers w where w.account_id = accounts.id) as worker`,
  toRow: (account) => ({
    id: account.id,
    role: account.role,
    admin_role: account.adminRole ?? null,
    email: account.email,
    name: account.name,
    password_hash: account.passwordHash,
    language: account.language,
    email_verified: account.emailVerified,
    active: account.active,
    token_version: account.tokenVersion,
    invitation_pending: account.invitationPending,
    revision: account.revision,
  }),
  fromRow: toAccount,
});

type WorkerOf = WorkerDetails & { accountId: string };

const workers = lockedRecords<WorkerOf, WorkerRow>({
  table: 'workers',
  key: 'account_id',
  columns: ['code', 'region', 'capacity_trees'],
  toRow: ({ accountId, code, region, capacityTrees }) => ({
    account_id: accountId,
    code,
    region,
    capacity_trees: capacityTrees,
  }),
  fromRow: (row) => ({ accountId: row.account_id, ...toWorker(row) }),
});

/** By address; a worker also by code. Case-insensitive. */
export async function accountByLogin(
  db: Pick<Sql, 'query'>,
  role: Role,
  login: string,
): Promise<Account | undefined> {
  const [found] = await accounts.select(
    db,
    // One index per branch; an "or" across the two tables would scan all accounts.
    `where role = $1 and id in (
       select id from accounts where role = $1 and lower(email) = lower($2)
       union all select account_id from workers where upper(code) = upper($2))
     order by lower(email) = lower($2) desc limit 1`,
    [role, login],
  );
  return found;
}

/** @returns false when the role and address are taken */
export async function addAccount(tx: Transaction, account: Account): Promise<boolean> {
  if (!(await accounts.tryAdd(tx, account))) return false;
  await saveWorker(tx, account);
  return true;
}

/** Writes a changed account and publishes the change, besides `events`. */
export async function saveChange(
  tx: Transaction,
  before: Account,
  after: Account,
  events: readonly NewEvent[] = [],
): Promise<void> {
  if (after === before) return;
  await accounts.put(tx, after);
  await saveWorker(tx, after);
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

async function saveWorker(tx: Transaction, { id, worker }: Account): Promise<void> {
  if (worker) await workers.change(tx, id, () => ({ accountId: id, ...worker }));
}
