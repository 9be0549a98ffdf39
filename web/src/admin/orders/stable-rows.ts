import type { OrderRow } from './orders.ts';

/**
 * Rows on screen. They keep their positions while live changes arrive, so that nothing moves under the pointer; new
 * rows wait until the reader asks.
 */
export interface StableRows {
  /** Key of the list. */
  of: string;
  rows: readonly OrderRow[];
  /** Latest rows from the server. */
  latest: readonly OrderRow[];
}

export const NO_ROWS: StableRows = { of: '', rows: [], latest: [] };

export function updateRows(current: StableRows, of: string, latest: readonly OrderRow[]): StableRows {
  if (current.of !== of || current.rows.length === 0) return { of, rows: latest, latest };
  const fresh = new Map(latest.map((row) => [row._id, row]));
  return { of, rows: current.rows.map((row) => fresh.get(row._id) ?? row), latest };
}

/** Changes hidden until the reader refreshes. */
export function hiddenChanges({ rows, latest }: StableRows): { arrived: number; moved: boolean } {
  const known = new Set(rows.map((row) => row._id));
  const arrived = latest.filter((row) => !known.has(row._id)).length;
  const moved = rows.length !== latest.length || rows.some((row, at) => latest[at]?._id !== row._id);
  return { arrived, moved };
}

/** Replaces one row in place; ignores states older than the shown one. */
export function applyChange(
  current: StableRows,
  change: Pick<OrderRow, 'status' | 'revision'> & { orderId: string },
): StableRows {
  const isNewer = (row: OrderRow) => row._id === change.orderId && row.revision < change.revision;
  if (!current.rows.some(isNewer)) return current;
  const { status, revision } = change;
  return { ...current, rows: current.rows.map((row) => (isNewer(row) ? { ...row, status, revision } : row)) };
}
