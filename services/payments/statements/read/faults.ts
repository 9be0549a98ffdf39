import { Problem } from '@arboleda/contracts/problems.ts';
import type { ColumnRole } from '@arboleda/contracts/statement.ts';
import { isAmount } from './amounts.ts';
import type { Movement } from './movement.ts';
import { type placesOf, RowFault } from './row.ts';

type Row = readonly string[];

/** Faults shown to an admin. */
export const MAX_FAULTS = 5;

export const NOTHING = {
  movements: [] as Movement[],
  lines: [] as Row[],
  faults: [] as { row: Row; fault: RowFault }[],
};

/** Stops at the fifth fault. */
export function readAll(moved: readonly Row[], read: (row: Row) => Movement | undefined): typeof NOTHING {
  const all: typeof NOTHING = { movements: [], lines: [], faults: [] };
  for (const row of moved) {
    try {
      const movement = read(row);
      if (movement) {
        all.movements.push(movement);
        all.lines.push(row);
      }
    } catch (fault) {
      if (!(fault instanceof RowFault)) throw fault;
      all.faults.push({ row, fault });
      if (all.faults.length === MAX_FAULTS) break;
    }
  }
  return all;
}

const OPTIONAL: readonly ColumnRole[] = ['balance', 'currency', 'account', 'direction'];

/** A column that cannot be read in most rows is another one than its title says; so may be one that is not needed. */
export function isWrongGuess(
  { role, kind }: RowFault,
  moved: readonly Row[],
  at: ReturnType<typeof placesOf>,
  isAhead: (cell: string) => boolean,
): boolean {
  if (OPTIONAL.includes(role)) return true;
  const cells = moved.map((row) => row[at[role] ?? -1] ?? '').filter(Boolean);
  const wrong = cells.filter((cell) =>
    kind === 'day-ahead' ? isAhead(cell) : role !== 'day' && !isAmount(cell),
  );
  return wrong.length * 2 > cells.length;
}

export const problemAt = (line: number, { role, kind }: RowFault): Problem =>
  new Problem(kind === 'day-ahead' ? 'statement-day-ahead' : 'statement-row-unreadable', {
    fields: [{ path: `lines.${line}.${role}`, type: 'invalid' }],
  });
