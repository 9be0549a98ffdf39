import type { Sql, Transaction } from '@arboleda/chassis/ports/sql.ts';

type Db = Pick<Sql, 'query'>;

export interface KeptFactor {
  sealedSecret: Buffer;
  /** Active only after a code has confirmed that the app has the secret. */
  confirmed: boolean;
}

export async function factorOf(
  db: Db,
  accountId: string,
  lock: '' | 'for update' = '',
): Promise<KeptFactor | undefined> {
  const { rows } = await db.query<{ sealed_secret: Buffer; confirmed: boolean }>(
    `select sealed_secret, confirmed_at is not null as confirmed from second_factors where account_id = $1 ${lock}`,
    [accountId],
  );
  return rows[0] && { sealedSecret: rows[0].sealed_secret, confirmed: rows[0].confirmed };
}

/** Starts again, unless one is confirmed. @returns false when one is */
export async function beginFactor(db: Db, accountId: string, sealedSecret: Buffer): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into second_factors (account_id, sealed_secret) values ($1, $2)
     on conflict (account_id) do update set sealed_secret = $2, last_step = 0, created_at = now()
     where second_factors.confirmed_at is null`,
    [accountId, sealedSecret],
  );
  return rowCount === 1;
}

export async function confirmFactor(tx: Transaction, accountId: string): Promise<void> {
  await tx.query('update second_factors set confirmed_at = now() where account_id = $1', [accountId]);
}

/** @returns false when there was none */
export async function removeFactor(db: Db, accountId: string): Promise<boolean> {
  const { rowCount } = await db.query('delete from second_factors where account_id = $1', [accountId]);
  return rowCount === 1;
}

/** Uses up the code of a step and all earlier ones. @returns false when it was used before */
export async function useStep(db: Db, accountId: string, step: number): Promise<boolean> {
  const { rowCount } = await db.query(
    'update second_factors set last_step = $2 where account_id = $1 and last_step < $2',
    [accountId, step],
  );
  return rowCount === 1;
}

export async function replaceRecoveryCodes(
  tx: Transaction,
  accountId: string,
  hashes: Buffer[],
): Promise<void> {
  await tx.query('delete from recovery_codes where account_id = $1', [accountId]);
  await tx.query('insert into recovery_codes (account_id, code_hash) select $1, unnest($2::bytea[])', [
    accountId,
    hashes,
  ]);
}

/** @returns false when there is no such code, or it was used before */
export async function useRecoveryCode(db: Db, accountId: string, hash: Buffer): Promise<boolean> {
  const { rowCount } = await db.query(
    'update recovery_codes set used_at = now() where account_id = $1 and code_hash = $2 and used_at is null',
    [accountId, hash],
  );
  return rowCount === 1;
}

export async function recoveryCodesLeft(db: Db, accountId: string): Promise<number> {
  const { rows } = await db.query<{ left: number }>(
    'select count(*)::int as left from recovery_codes where account_id = $1 and used_at is null',
    [accountId],
  );
  return rows[0]!.left;
}
