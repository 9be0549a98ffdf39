import type { Transaction } from '@arboleda/chassis/ports/sql.ts';
import type { Actor } from '@arboleda/contracts/fields.ts';
import type { Bank } from '@arboleda/contracts/payment-method.ts';
import type { FileFacts } from './read/facts.ts';
import { decide, lockRows } from './row-store.ts';

/**
 * A file may correct rows of an earlier one (OFX CORRECTFITID). While the former row is open, the new one takes its place.
 * If it was decided, it stays: with the same sum the new row is the same money, with another it waits for an admin as money
 * without an order, so that no correction counts as a second credit.
 */
export async function applyCorrections(
  tx: Transaction,
  of: { bank: Bank; corrections: NonNullable<FileFacts['corrections']>; by: Actor; at: Date },
): Promise<void> {
  const { bank, corrections, by, at } = of;
  for (const { number, by: newNumber } of corrections) {
    const found = await tx.query<{ id: string }>(
      'select id from statement_rows where bank = $1 and number = any($2) and parent_id is null',
      [bank, [number, newNumber]],
    );
    const rows = await lockRows(
      tx,
      found.rows.map(({ id }) => id),
    );
    const former = rows.find((row) => row.number === number);
    const corrected = rows.find((row) => row.number === newNumber);
    if (!former || !corrected || corrected.status !== 'open' || former.status === 'ignored') continue;
    // In the language of the organisation; admins see it.
    const reason = `Corregido por el banco · ${number} → ${newNumber}`;
    if (former.status === 'open') await decide(tx, [former.id], { status: 'ignored', reason, by, at });
    else
      await decide(tx, [corrected.id], {
        status: former.amount_minor === corrected.amount_minor ? 'ignored' : 'kept',
        reason,
        by,
        at,
      });
  }
}
