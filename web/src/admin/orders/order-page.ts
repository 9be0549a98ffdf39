import type { OrderChange } from '@arboleda/contracts/endpoints/orders/live.ts';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { READ_DEADLINE_MS } from '../../api/client.ts';
import { refreshEvery } from '../../api/refresh.ts';
import { useChanges } from '../../api/use-changes.ts';
import type { PortalCall } from '../../session/session.ts';
import { KEYS, type OrderRow, SLOW_REFRESH_MS } from './orders.ts';
import { type Listing, pageQuery } from './use-listing.ts';

/**
 * Rows on screen. They keep their positions while live changes arrive, so that nothing moves under the pointer; new
 * rows wait until the reader asks.
 */
interface StableRows {
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

/** Searching hundreds of thousands of orders is slow; a plain page is not. */
const SEARCH_DEADLINE_MS = 60_000;

/** A page of orders with stable rows; the previous page stays while another loads. */
export function useOrderPage(call: PortalCall, listing: Listing) {
  const query = pageQuery(listing);
  const of = JSON.stringify(query);
  const page = useQuery({
    queryKey: [...KEYS.lists, query],
    queryFn: ({ signal }) =>
      call('GET /api/admin/orders/manage', {
        query,
        signal,
        timeoutMs: query.q ? SEARCH_DEADLINE_MS : READ_DEADLINE_MS,
      }),
    placeholderData: keepPreviousData,
    refetchInterval: refreshEvery(SLOW_REFRESH_MS),
  });
  const [stable, setStable] = useState<StableRows>(NO_ROWS);
  const latest = page.isPlaceholderData ? undefined : page.data?.orders;
  if (latest && (stable.latest !== latest || stable.of !== of)) setStable(updateRows(stable, of, latest));
  const applyLiveChange = useCallback(
    (change: Parameters<typeof applyChange>[1]) => setStable((current) => applyChange(current, change)),
    [setStable],
  );
  return {
    page,
    rows: stable.rows,
    news: hiddenChanges(stable),
    showNews: () => setStable((current) => ({ ...current, rows: current.latest })),
    applyLiveChange,
  };
}

/** Batches bursts of changes into one reload of the list. */
const BATCH_MS = 1_500;

/** Listens to live changes: updates the order immediately, the list after a moment. */
export function useLiveOrders(call: PortalCall, onChange: (change: OrderChange) => void): void {
  const queries = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const readLists = () => {
    timer.current = undefined;
    void queries.invalidateQueries({ queryKey: KEYS.lists });
    void queries.invalidateQueries({ queryKey: KEYS.count });
  };
  useChanges<'GET /api/admin/orders/events'>('admin orders', {
    open: (signal) => call('GET /api/admin/orders/events', { signal, timeoutMs: Infinity }),
    onChange: (change) => {
      onChange(change);
      void queries.invalidateQueries({ queryKey: KEYS.order(change.orderId) });
      timer.current ??= setTimeout(readLists, BATCH_MS);
    },
    onResume: () => {
      readLists();
      void queries.invalidateQueries({ queryKey: ['admin', 'order'] });
    },
  });
}
