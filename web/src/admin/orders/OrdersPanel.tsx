import type { OrderStatus } from '@arboleda/contracts/order.ts';
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useToast } from '../../design/components/Toasts.tsx';
import type { PanelProps } from '../panel.ts';
import { useWorkloads } from '../workers/workers.ts';
import { useLiveOrders, useOrderPage } from './order-page.ts';
import { OrderList } from './OrderList.tsx';
import type { BulkKind } from './BulkDialog.tsx';
import type { OrderRow } from './orders.ts';
import { type StatusChange, statusChangeOf, StatusConfirm } from './StatusChange.tsx';
import { useListing } from './use-listing.ts';

const BulkDialog = lazy(async () => ({ default: (await import('./BulkDialog.tsx')).BulkDialog }));
const OrderDialog = lazy(async () => ({ default: (await import('./OrderDialog.tsx')).OrderDialog }));

/** Filter and open order live in the address, so that both can be shared and survive a reload. */
export function OrdersPanel({ session: { call, person } }: PanelProps) {
  const { t } = useTranslation('admin');
  const { t: common } = useTranslation();
  const toast = useToast();
  const place = useListing();
  const orders = useOrderPage(call, place.listing);
  const [request, setRequest] = useState<StatusChange>();
  const workloads = useWorkloads(call).data;
  const workers = workloads && [...workloads.values()];
  const choice = useChoice(orders.rows);
  const [bulk, setBulk] = useState<BulkKind>();
  useLiveOrders(call, orders.applyLiveChange);

  const open = useRef(place.open);
  useEffect(() => {
    open.current = place.open;
  });
  return (
    <>
      <OrderList
        call={call}
        place={place}
        orders={orders}
        workers={workers}
        chosen={choice.chosen}
        onChoose={choice.choose}
        onClear={choice.clear}
        onBulk={setBulk}
        onOpen={useCallback((id: string) => open.current(id), [])}
        onStatus={useCallback(
          (order: OrderRow, to: OrderStatus) => setRequest(statusChangeOf(order, to)),
          [],
        )}
      />
      {request && (
        <StatusConfirm
          call={call}
          request={request}
          now={orders.rows.find(({ _id }) => _id === request.id)?.status}
          onClose={() => setRequest(undefined)}
          onDone={({ _id, status, revision, shortId }) => {
            orders.applyLiveChange({ orderId: _id, status, revision });
            toast({
              kind: 'good',
              text: t('status.done', { id: shortId, status: common(`status.${status}`) }),
            });
          }}
        />
      )}
      {bulk && (
        <Suspense fallback={null}>
          <BulkDialog
            call={call}
            kind={bulk}
            orders={[...choice.chosen.values()]}
            workers={workers ?? []}
            onClose={(done) => {
              setBulk(undefined);
              choice.drop(done);
            }}
          />
        </Suspense>
      )}
      {place.order && (
        <Suspense fallback={null}>
          <OrderDialog key={place.order} call={call} person={person} id={place.order} onClose={place.close} />
        </Suspense>
      )}
    </>
  );
}

/** Chosen orders, also those of other pages; rows on screen are as fresh as the list. */
function useChoice(rows: readonly OrderRow[]) {
  const [kept, setKept] = useState<ReadonlyMap<string, OrderRow>>(new Map());
  const fresh = new Map(rows.map((row) => [row._id, row]));
  const chosen = new Map([...kept].map(([id, row]) => [id, fresh.get(id) ?? row]));
  return {
    chosen,
    choose: (some: readonly OrderRow[], isChosen: boolean) =>
      setKept((current) => {
        const next = new Map(current);
        for (const row of some)
          if (isChosen) next.set(row._id, row);
          else next.delete(row._id);
        return next;
      }),
    drop: (ids: readonly string[]) =>
      setKept((current) => new Map([...current].filter(([id]) => !ids.includes(id)))),
    clear: () => setKept(new Map()),
  };
}
