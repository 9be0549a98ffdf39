import type { OrderRow } from './orders.ts';

/**
 * The rows that the reader looks at. They keep their places while news come in, so that nothing moves under the hand;
 * what changed in them shows in them, and what is new waits to be asked for.
 */
export interface Held {
  /** Which list it is. */
  of: string;
  rows: readonly OrderRow[];
  /** The latest that the server said. */
  latest: readonly OrderRow[];
}

export const NOTHING_HELD: Held = { of: '', rows: [], latest: [] };

export function hold(held: Held, of: string, latest: readonly OrderRow[]): Held {
  if (held.of !== of || held.rows.length === 0) return { of, rows: latest, latest };
  const fresh = new Map(latest.map((row) => [row._id, row]));
  return { of, rows: held.rows.map((row) => fresh.get(row._id) ?? row), latest };
}

/** What the reader would see beyond what they see now. */
export function newsOf({ rows, latest }: Held): { arrived: number; moved: boolean } {
  const known = new Set(rows.map((row) => row._id));
  const arrived = latest.filter((row) => !known.has(row._id)).length;
  const moved = rows.length !== latest.length || rows.some((row, at) => latest[at]?._id !== row._id);
  return { arrived, moved };
}

/** The same rows, one of them as it is now. An older state than the known one changes nothing. */
export function withChange(
  held: Held,
  change: Pick<OrderRow, 'status' | 'revision'> & { orderId: string },
): Held {
  const isNewer = (row: OrderRow) => row._id === change.orderId && row.revision < change.revision;
  if (!held.rows.some(isNewer)) return held;
  const { status, revision } = change;
  return { ...held, rows: held.rows.map((row) => (isNewer(row) ? { ...row, status, revision } : row)) };
}
