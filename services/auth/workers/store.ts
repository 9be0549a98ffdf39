import type { Sql, Transaction } from '@arboleda/chassis/ports/sql.ts';
import { searchPatterns } from '@arboleda/contracts/search.ts';
import { type AccountRow, accounts, toAccount } from '../accounts/account-store.ts';
import type { Account } from '../accounts/account.ts';
import { codeOf } from './worker.ts';

export interface ManagedWorker {
  account: Account;
  createdAt: Date;
}

export interface WorkerQuery {
  q?: string | undefined;
  active?: boolean | undefined;
  region?: string | undefined;
  limit: number;
  /** The code of the last worker of the previous page. */
  after?: string | undefined;
}

const toManaged = (row: AccountRow): ManagedWorker => ({
  account: toAccount(row),
  createdAt: row.created_at,
});

const WORKERS = `${accounts.reading} join workers w on w.account_id = accounts.id`;

export async function workerById(db: Pick<Sql, 'query'>, id: string): Promise<ManagedWorker | undefined> {
  const { rows } = await db.query<AccountRow>(`${WORKERS} where id = $1`, [id]);
  return rows[0] && toManaged(rows[0]);
}

/** Locked until the transaction ends. @returns undefined also for another's account */
export async function lockWorker(tx: Transaction, id: string): Promise<Account | undefined> {
  const account = await accounts.lock(tx, id);
  return account?.worker && account;
}

export async function listWorkers(sql: Sql, query: WorkerQuery): Promise<ManagedWorker[]> {
  const { rows } = await sql.query<AccountRow>(
    `${WORKERS}
     where ($1::text[] is null or search_text(concat_ws(E'\\n', name, email, w.code)) like any($1))
       and ($2::boolean is null or active = $2)
       and ($3::text is null or search_text(w.region) = search_text($3))
       and ($4::text is null or upper(w.code) collate "C" > upper($4) collate "C")
     order by upper(w.code) collate "C" limit $5`,
    [searchPatterns(query.q), query.active ?? null, query.region ?? null, query.after ?? null, query.limit],
  );
  return rows.map(toManaged);
}

/** The next free code of a prefix; concurrent callers wait until this transaction ends. */
export async function takeCode(tx: Transaction, prefix: string): Promise<string> {
  await tx.query(`select pg_advisory_xact_lock(hashtext('auth.workers.code'), hashtext($1))`, [prefix]);
  const { rows } = await tx.query<{ highest: number | null }>(
    `select max(substring(upper(code) from 4)::int) as highest from workers where upper(code) ~ $1`,
    [`^${prefix}-[0-9]{1,6}$`],
  );
  return codeOf(prefix, (rows[0]?.highest ?? 0) + 1);
}
