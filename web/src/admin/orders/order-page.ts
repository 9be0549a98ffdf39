import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { READ_DEADLINE_MS } from '../../api/client.ts';
import { refreshEvery } from '../../api/refresh.ts';
import type { PortalCall } from '../../session/session.ts';
import { type StableRows, updateRows, hiddenChanges, NO_ROWS, applyChange } from './stable-rows.ts';
import { type Listing, pageQuery } from './listing.ts';
import { KEYS, SLOW_REFRESH_MS } from './orders.ts';

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
  const [held, setHeld] = useState<StableRows>(NO_ROWS);
  const latest = page.isPlaceholderData ? undefined : page.data?.orders;
  if (latest && (held.latest !== latest || held.of !== of)) setHeld(updateRows(held, of, latest));
  const tell = useCallback(
    (change: Parameters<typeof applyChange>[1]) => setHeld((current) => applyChange(current, change)),
    [setHeld],
  );
  return {
    page,
    rows: held.rows,
    news: hiddenChanges(held),
    showNews: () => setHeld((current) => ({ ...current, rows: current.latest })),
    tell,
  };
}
