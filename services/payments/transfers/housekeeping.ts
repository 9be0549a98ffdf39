import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import type { EvidenceObjects } from './evidence.ts';

const DAY_MS = 86_400_000;
/** Nobody types a reference at a bank this long after it was suggested. */
const REFERENCE_DAYS = 90;
const TRANSFERS_AT_ONCE = 200;

/** Removes what nobody needs: evidence after its time, objects that belong to nothing, references nobody used. */
export function housekeeping(parts: {
  sql: Sql;
  evidence: EvidenceObjects;
  retentionDays: number | undefined;
  clock: () => Date;
}): () => Promise<void> {
  const { sql, evidence, retentionDays, clock } = parts;
  const daysAgo = (days: number) => new Date(clock().getTime() - days * DAY_MS);

  const removeOldEvidence = (days: number) =>
    sql.transaction(async (tx) => {
      const { rows } = await tx.query<{ id: string }>(
        `select id from transfers where decided_at < $1 and evidence_removed_at is null
         order by decided_at limit $2 for update skip locked`,
        [daysAgo(days), TRANSFERS_AT_ONCE],
      );
      await evidence.remove(
        tx,
        rows.map(({ id }) => id),
      );
    });

  return async () => {
    if (retentionDays !== undefined) await removeOldEvidence(retentionDays);
    await sql.query('delete from transfer_references where suggested_at < $1', [daysAgo(REFERENCE_DAYS)]);
    await evidence.sweep();
  };
}
