import type { Sql, Transaction } from '@arboleda/chassis/ports/sql.ts';
import { type AccountRow, accounts, toAccount } from '../accounts/account-store.ts';
import type { Account } from '../accounts/account.ts';
import type { AdminStanding } from './admin.ts';

export interface ManagedAdmin {
  account: Account;
  hasSecondFactor: boolean;
  lastLogInAt: Date | undefined;
  createdAt: Date;
}

const LISTED = 500;

/** Serializes changes of admins and of owners' second factors, so that rules about all admins hold. */
export const lockAdmins = async (tx: Transaction): Promise<void> =>
  void (await tx.query(`select pg_advisory_xact_lock(hashtext('auth.admins'))`));

type AdminRow = AccountRow & { has_second_factor: boolean; last_log_in_at: Date | null };

const SELECT_ADMINS = `select account.*, factor.confirmed_at is not null as has_second_factor,
    (select max(seen_at) from known_networks where account_id = account.id) as last_log_in_at
  from (${accounts.reading} where role = 'admin') account
  left join second_factors factor on factor.account_id = account.id`;

const toManaged = (row: AdminRow): ManagedAdmin => ({
  account: toAccount(row),
  hasSecondFactor: row.has_second_factor,
  lastLogInAt: row.last_log_in_at ?? undefined,
  createdAt: row.created_at,
});

export async function adminById(db: Pick<Sql, 'query'>, id: string): Promise<ManagedAdmin | undefined> {
  const { rows } = await db.query<AdminRow>(`${SELECT_ADMINS} where account.id = $1`, [id]);
  return rows[0] && toManaged(rows[0]);
}

export async function listAdmins(sql: Sql): Promise<ManagedAdmin[]> {
  const { rows } = await sql.query<AdminRow>(
    `${SELECT_ADMINS} order by account.active desc, search_text(account.name), account.id limit ${LISTED}`,
  );
  return rows.map(toManaged);
}

export async function otherAdmins(tx: Transaction, id: string): Promise<AdminStanding[]> {
  const { rows } = await tx.query<AdminRow>(`${SELECT_ADMINS} where account.id <> $1`, [id]);
  return rows.map(({ admin_role: role, active, has_second_factor: hasSecondFactor }) => ({
    adminRole: role!,
    active,
    hasSecondFactor,
  }));
}
