import type { Transaction } from '@arboleda/chassis/ports/sql.ts';
import { lock } from './lock.ts';

/** Remembers who asked to be forgotten: topics are not ordered, and what they did before may be heard after it. */
export async function rememberErased(
  tx: Transaction,
  erased: { accountId: string; ordersToo: boolean; at: string },
): Promise<void> {
  await lock(tx, 'accounts', erased.accountId);
  await tx.query(
    'insert into erased_accounts (id, orders_too, at) values ($1, $2, $3) on conflict (id) do nothing',
    [erased.accountId, erased.ordersToo, erased.at],
  );
}

/** Nobody is forgotten meanwhile, until the transaction ends. @returns undefined when the account was not erased */
export async function erasureOf(
  tx: Transaction,
  accountId: string,
): Promise<{ ordersToo: boolean } | undefined> {
  await lock(tx, 'accounts', accountId);
  const { rows } = await tx.query<{ orders_too: boolean }>(
    'select orders_too from erased_accounts where id = $1',
    [accountId],
  );
  return rows[0] && { ordersToo: rows[0].orders_too };
}
