import type { OrderRow } from './orders.ts';

/**
 * Rows on screen. They keep their positions while live changes arrive, so that nothing moves under the pointer; new
 * rows wait until the reader asks.
 */
export interface Held {
  /** Key of the list. */
  of: string;
  rows: readonly OrderRow[];
  /** Latest rows from the server. */
  latest: readonly OrderRow[];
}

export const NOTHING_HELD: Held = { of: '', rows: [], latest: [] };

export function hold(held: Held, of: string, latest: readonly OrderRow[]): Held {
  if (held.of !== of || held.rows.length === 0) return { of, rows: latest, latest };
  const fresh = new Map(latest.map((row) => [row._id, row]));
  return { of, rows: held.rows.map((row) => fresh.get(row._id) ?? row), latest };
}

/** Changes hidden until the reader refreshes. */
export function newsOf({ rows, latest }: Held): { arrived: number; moved: boolean } {
  const known = new Set(rows.map((row) => row._id));
  const arrived = latest.filter((row) => !known.has(row._id)).length;
  const moved = rows.length !== latest.length || rows.some((row, at) => latest[at]?._id !== row._id);
  return { arrived, moved };
}

/** Replaces one row in place; ignores states older than the shown one. */
export function withChange(
  held: Held,
  change: Pick<OrderRow, 'status' | 'revision'> & { orderId: string },
): Held {
  const isNewer = (row: OrderRow) => row._id === change.orderId && row.revision < change.revision;
  if (!held.rows.some(isNewer)) return held;
  const { status, revision } = change;
  return { ...held, rows: held.rows.map((row) => (isNewer(row) ? { ...row, status, revision } : row)) };
}
