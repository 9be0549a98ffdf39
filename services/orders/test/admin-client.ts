import type { Answer } from '@arboleda/chassis/testing/request.ts';
import { payment } from './builders.ts';
import type { OrdersFixture } from './fixture.ts';

type Parts = Parameters<OrdersFixture['call']>[1];

/** Actions of an admin on orders, through HTTP. */
export interface AdminClient {
  /** A paid order that the service has stored. */
  paidOrder(overrides?: Parameters<typeof payment>[0]): Promise<string>;
  read(id: string): Promise<Answer>;
  list(query?: Record<string, string | number>): Promise<Answer>;
  setStatus(id: string, body: unknown, parts?: Parts): Promise<Answer>;
  edit(id: string, body: unknown, parts?: Parts): Promise<Answer>;
  note(id: string, body: unknown, parts?: Parts): Promise<Answer>;
}

export function openAdminClient(orders: OrdersFixture): AdminClient {
  const as = (parts: Parts = {}): NonNullable<Parts> => ({ token: orders.adminToken, ...parts });
  return {
    async paidOrder(overrides) {
      const event = payment(overrides);
      await orders.publish(event);
      await orders.order(event.data.orderId);
      return event.data.orderId;
    },
    read: (id) => orders.call('GET /api/admin/orders/{id}', as({ params: { id } })),
    list: (query = {}) => orders.call('GET /api/admin/orders/manage', as({ query })),
    setStatus: (id, body, parts) =>
      orders.call('PUT /api/admin/orders/{id}/status', as({ params: { id }, body, ...parts })),
    edit: (id, body, parts) =>
      orders.call('PUT /api/admin/orders/{id}', as({ params: { id }, body, ...parts })),
    note: (id, body, parts) =>
      orders.call('POST /api/admin/orders/{id}/notes', as({ params: { id }, body, ...parts })),
  };
}

/** Matches a refusal because of one field. */
export const wrongField = ({ status, body }: Answer) => ({
  status,
  type: body.type,
  errors: body.errors?.map(({ path, type }: { path: string; type: string }) => `${path}: ${type}`),
});
