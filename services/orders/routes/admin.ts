import type { Handlers } from '@arboleda/chassis/http/handlers.ts';
import type { ordersAdminEndpoints } from '@arboleda/contracts/endpoints/orders/admin.ts';
import type { Actor } from '@arboleda/contracts/fields.ts';
import { dayOf } from '@arboleda/contracts/time-zone.ts';
import { createHash, randomUUID } from 'node:crypto';
import { decideEdit, decideNote } from '../decisions/edit.ts';
import { decideStatus } from '../decisions/status.ts';
import { decodeCursor, encodeCursor } from '../listing/cursor.ts';
import { toCsv } from '../listing/csv.ts';
import { everyOrder } from '../listing/pages.ts';
import { positionOf } from '../listing/sort.ts';
import type { OrderStore } from '../store.ts';
import { adminView, listView } from '../views/admin.ts';
import { found } from './found.ts';

export function adminRoutes(store: OrderStore, clock: () => Date): Handlers<typeof ordersAdminEndpoints> {
  const { orders } = store;
  const now = () => clock().toISOString();

  return {
    async 'GET /api/admin/orders/manage'({ query: { limit, cursor, sort: wanted, ...filter } }) {
      const begin = cursor === undefined ? undefined : decodeCursor(cursor, wanted);
      const sort = begin?.sort ?? wanted ?? 'newest';
      const [page, counted] = await Promise.all([
        store.page({ filter, sort, after: begin?.position, limit: limit + 1 }),
        store.counts(filter),
      ]);
      const listed = page.slice(0, limit);
      const last = page.length > limit ? listed.at(-1) : undefined;
      return {
        orders: listed.map(listView),
        ...(last && { nextCursor: encodeCursor({ sort, position: positionOf(last, sort) }) }),
        ...counted,
      };
    },

    async 'GET /api/admin/orders/export'({ query: { sort = 'newest', ...filter }, language }) {
      return {
        contentType: 'text/csv; charset=utf-8',
        bytes: toCsv(everyOrder(store, { filter, sort }), language),
        saveAs: `${language === 'es' ? 'pedidos' : 'orders'}-${dayOf(now())}.csv`,
      };
    },

    async 'GET /api/admin/orders/{id}'({ params }) {
      return { order: adminView(found(await orders.get(params.id))) };
    },

    async 'PUT /api/admin/orders/{id}/status'({ params, body, person }) {
      const order = await orders.change(params.id, (current) =>
        decideStatus(found(current), body, admin(person), now()),
      );
      return { order: adminView(found(order)) };
    },

    async 'PUT /api/admin/orders/{id}'({ params, body, person, ifMatch: ifVersion }) {
      const order = await orders.change(params.id, (current) =>
        decideEdit(found(current), body, { by: admin(person), at: now(), ifVersion }),
      );
      return { order: adminView(found(order)) };
    },

    async 'POST /api/admin/orders/{id}/notes'({ params, body, person, idempotencyKey }) {
      const noteId = idempotencyKey === undefined ? randomUUID() : idOf(person.id, idempotencyKey);
      const note = { noteId, text: body.text, by: admin(person), at: now() };
      const order = await orders.change(params.id, (current) => decideNote(found(current), note));
      return { order: adminView(found(order)) };
    },
  };
}

const admin = ({ id, name }: { id: string; name: string }): Actor => ({ role: 'admin', id, name });

/** The same for the same admin and key. */
const idOf = (adminId: string, key: string): string =>
  createHash('sha256')
    .update(JSON.stringify([adminId, key]))
    .digest('base64url');
