import type { OrderStatus } from '@arboleda/contracts/order.ts';
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useToast } from '../../design/components/Toasts.tsx';
import type { PanelProps } from '../panel.ts';
import { useLiveOrders, useOrderPage } from './order-page.ts';
import { OrderList } from './OrderList.tsx';
import type { OrderRow } from './orders.ts';
import { type StatusChange, statusChangeOf, StatusConfirm } from './StatusChange.tsx';
import { useListing } from './use-listing.ts';

const OrderDialog = lazy(async () => ({ default: (await import('./OrderDialog.tsx')).OrderDialog }));

/** Filter and open order live in the address, so that both can be shared and survive a reload. */
export function OrdersPanel({ session: { call, person } }: PanelProps) {
  const { t } = useTranslation('admin');
  const { t: common } = useTranslation();
  const toast = useToast();
  const place = useListing();
  const orders = useOrderPage(call, place.listing);
  const [request, setRequest] = useState<StatusChange>();
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
      {place.order && (
        <Suspense fallback={null}>
          <OrderDialog key={place.order} call={call} person={person} id={place.order} onClose={place.close} />
        </Suspense>
      )}
    </>
  );
}
