import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import { randomUUID } from 'node:crypto';

/** A holder that died keeps others waiting no longer than this. */
const LEASE_MS = 2 * 60_000;

export interface Lease {
  /** @throws when somebody else took it, as this holder seemed dead. */
  renew(): Promise<void>;
  release(): Promise<void>;
}

/** One at a time over all processes. @returns undefined when somebody else is at it. */
export async function takeLease(sql: Sql, clock: () => Date): Promise<Lease | undefined> {
  const holder = randomUUID();
  const until = () => new Date(clock().getTime() + LEASE_MS);
  const { rowCount } = await sql.query(
    'update reconciler_lease set holder = $1, until = $2 where holder is null or until < $3',
    [holder, until(), clock()],
  );
  if (rowCount === 0) return undefined;
  return {
    async renew() {
      const renewed = await sql.query('update reconciler_lease set until = $2 where holder = $1', [
        holder,
        until(),
      ]);
      if (renewed.rowCount === 0) throw new Error('another process took the comparison over');
    },
    async release() {
      await sql.query(`update reconciler_lease set holder = null where holder = $1`, [holder]);
    },
  };
}
