import type { Transaction } from '@arboleda/chassis/ports/sql.ts';

/** Decisions on one thing come one after another, over all replicas, until the transaction ends. */
export const lock = async (
  tx: Transaction,
  what: 'money' | 'packages' | 'accounts',
  id: string,
): Promise<void> =>
  void (await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`${what}:${id}`]));
