import { amountText, type Audited, changedFields } from '@arboleda/chassis/audit/audit.ts';
import type { Change } from '@arboleda/chassis/records.ts';
import { setContextOrder } from '@arboleda/chassis/context.ts';
import { pageOf } from '@arboleda/chassis/http/cursor.ts';
import type { Handlers } from '@arboleda/chassis/http/handlers.ts';
import type { Person } from '@arboleda/chassis/http/identity.ts';
import { networkOf } from '@arboleda/chassis/http/network.ts';
import type { ordersEndpoints } from '@arboleda/contracts/endpoints/orders.ts';
import type { ordersAdminEndpoints } from '@arboleda/contracts/endpoints/orders/admin.ts';
import type { ordersCustomerEndpoints } from '@arboleda/contracts/endpoints/orders/customer.ts';
import type { ordersLiveEndpoints } from '@arboleda/contracts/endpoints/orders/live.ts';
import type { Actor } from '@arboleda/contracts/fields.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import { dayOf } from '@arboleda/contracts/time-zone.ts';
import { createHash, randomUUID } from 'node:crypto';
import { toCsv } from './list/csv.ts';
import { giftRoutes } from './gift/routes.ts';
import { ownGiftView, receivedGiftView } from './gift/received.ts';
import { certificateRoutes } from './certificate/routes.ts';
import { decideEdit, decideNote } from './order/edit.ts';
import { decideStatus } from './order/status.ts';
import {
  type DeadLetters,
  NO_STATS,
  type Overview,
  readCustomerStats,
  type Stats,
} from './figures/figures.ts';
import { everyOrder } from './list/list-query.ts';
import { decodeCursor, encodeCursor, positionOf } from './list/listing.ts';
import { changeOf, type OrderChanges } from './live.ts';
import type { Order } from './order/order.ts';
import type { BuyerProof } from './buyer-proof.ts';
import type { Receipts } from './documents/receipts.ts';
import type { OrderStore } from './store.ts';
import { adminView, listView } from './order/views/admin.ts';
import { customerView, exportView, placesOf } from './order/views/customer.ts';
import { publicView } from './order/views/public.ts';
import { withdrawalRoutes } from './withdrawal/routes.ts';

const EXPORT_PAGE = 200;
const MOST_PLACES = 1000;

interface Parts {
  store: OrderStore;
  changes: OrderChanges;
  stats: () => Promise<Stats>;
  overview: (days: number) => Promise<Overview>;
  deadLetters: () => Promise<DeadLetters>;
  receipts: Receipts;
  buyerProof: BuyerProof;
  certificates: Pick<
    Parameters<typeof certificateRoutes>[0],
    'statuses' | 'documents' | 'issuer' | 'newCode'
  >;
  gifts: Pick<Parameters<typeof giftRoutes>[0], 'erasedAccounts' | 'giftCards' | 'giftToken'>;
  clock: () => Date;
}

export const routes = (parts: Parts): Handlers<typeof ordersEndpoints> => ({
  ...customerRoutes(parts),
  ...adminRoutes(parts),
  ...liveRoutes(parts),
  ...certificateRoutes({ ...parts, ...parts.certificates, found, addressOf }),
  ...giftRoutes({ ...parts, ...parts.gifts, found, addressOf }),
  ...withdrawalRoutes({ ...parts, found, addressOf }),
  'GET /api/stats': parts.stats,
  'GET /api/admin/overview': ({ query: { days } }) => parts.overview(days),
  'GET /api/admin/dead-letters': parts.deadLetters,
  async 'GET /api/track/{token}'({ params }) {
    return publicView(found(await parts.store.byToken(params.token)));
  },
  async 'POST /api/track/{token}/receipt'({ params, body: { email, language }, address }) {
    const order = found(await parts.store.byToken(params.token));
    await parts.buyerProof.require(order, { email, address, erased: 'receipt-erased' });
    return parts.receipts.of(order, language ?? order.language);
  },
});

function customerRoutes({ store, receipts, clock }: Parts): Handlers<typeof ordersCustomerEndpoints> {
  return {
    async 'GET /api/customers/orders'({ person, query: { limit, cursor } }) {
      const after = cursor === undefined ? undefined : decodeCursor(cursor, 'newest').position;
      const own = addressOf(person);
      if (own === undefined) return { orders: [], emailVerified: false, stats: NO_STATS };
      const [listed, stats] = await Promise.all([
        store.ofCustomer(own, { after, limit: limit + 1 }),
        readCustomerStats(store, own),
      ]);
      const { rows, ...next } = pageOf(listed, limit, (last) =>
        encodeCursor({ sort: 'newest', position: positionOf(last, 'newest') }),
      );
      return {
        orders: rows.map(customerView),
        ...next,
        emailVerified: true,
        stats,
      };
    },

    async 'GET /api/customers/orders/places'({ person }) {
      const own = addressOf(person);
      const orders = own === undefined ? [] : await store.ofCustomer(own, { limit: MOST_PLACES });
      return { places: orders.flatMap(placesOf) };
    },

    async 'GET /api/customers/orders/export'({ person, signal }) {
      const own = addressOf(person);
      const orders: Order[] = [];
      let page: Order[] = [];
      do {
        signal.throwIfAborted();
        const last = page.at(-1);
        const after = last && positionOf(last, 'newest');
        page = own === undefined ? [] : await store.ofCustomer(own, { after, limit: EXPORT_PAGE });
        orders.push(...page);
      } while (page.length === EXPORT_PAGE);
      const claimed = await store.giftsClaimedBy(person.id);
      const sent = own === undefined ? [] : await store.giftsTo(own);
      const gifts = [
        ...claimed.map(ownGiftView),
        ...sent
          .filter(({ gift }) => gift!.state === 'sent' && !gift!.claim)
          .map((order) => receivedGiftView(order, order.gift!)),
      ];
      return { exportedAt: clock().toISOString(), orders: orders.map(exportView), gifts };
    },

    async 'GET /api/customers/orders/{id}/receipt'({ person, params, query: { language } }) {
      const order = found(await store.get(params.id));
      if (order.customer.email.toLowerCase() !== addressOf(person)) throw new Problem('not-found');
      return receipts.of(order, language ?? order.language);
    },
  };
}

/** The customer's address in lower case. Only a verified address proves that its orders are theirs. */
const addressOf = ({ email, emailVerified }: Person): string | undefined =>
  emailVerified && email ? email.toLowerCase() : undefined;

function adminRoutes({ store, clock }: Parts): Handlers<typeof ordersAdminEndpoints> {
  const now = () => clock().toISOString();
  const change = async (
    id: string,
    person: Person,
    decide: (current: Order) => Change<Order> | undefined,
    more: Pick<Audited, 'withheld'> = {},
  ) => {
    const order = await store.change(id, (current) => audited(found(current), decide, more));
    return { order: adminView(found(order), person) };
  };

  return {
    async 'GET /api/admin/orders/manage'({ query: { limit, cursor, sort: wanted, ...filter }, person }) {
      const begin = cursor === undefined ? undefined : decodeCursor(cursor, wanted);
      const sort = begin?.sort ?? wanted ?? 'newest';
      const [page, counted] = await Promise.all([
        store.page({ filter, sort, after: begin?.position, limit: limit + 1 }),
        store.counts(filter),
      ]);
      const { rows, ...next } = pageOf(page, limit, (last) =>
        encodeCursor({ sort, position: positionOf(last, sort) }),
      );
      return { orders: rows.map((order) => listView(order, person)), ...next, ...counted };
    },

    async 'GET /api/admin/orders/export'({ query: { sort = 'newest', ...filter }, language }) {
      return {
        contentType: 'text/csv; charset=utf-8',
        bytes: toCsv(everyOrder(store, { filter, sort }), language),
        saveAs: `${language === 'es' ? 'pedidos' : 'orders'}-${dayOf(now())}.csv`,
      };
    },

    async 'GET /api/admin/orders/{id}'({ params, person }) {
      return { order: adminView(found(await store.get(params.id)), person) };
    },

    'PUT /api/admin/orders/{id}/status': ({ params, body, person }) =>
      change(params.id, person, (current) => decideStatus(current, body, admin(person), now()), {
        withheld: body.reason === undefined ? [] : ['reason'],
      }),

    'PUT /api/admin/orders/{id}': ({ params, body, person, ifMatch: ifVersion }) =>
      change(params.id, person, (current) =>
        decideEdit(current, body, { by: admin(person), at: now(), ifVersion }),
      ),

    async 'POST /api/admin/orders/{id}/notes'({ params, body, person, idempotencyKey }) {
      const noteId = idempotencyKey === undefined ? randomUUID() : idOf(person.id, idempotencyKey);
      const note = { noteId, text: body.text, by: admin(person), at: now() };
      return change(params.id, person, (current) => decideNote(current, note), { withheld: ['note'] });
    },
  };
}

const WITHHELD = ['customerName', 'customerEmail', 'location', 'notes'];

const auditFields = (order: Order) => ({
  status: order.progress.status,
  worker: 'worker' in order.progress ? order.progress.worker?.code : undefined,
  trees: order.trees,
  amount: amountText(order.amountMinor, order.currency),
  customerName: order.customer.name,
  customerEmail: order.customer.email,
  location: order.location,
  coordinates: order.coordinates && `${order.coordinates.latitude}, ${order.coordinates.longitude}`,
  notes: order.notes,
});

/** A decision with its row of the audit log. */
function audited(
  before: Order,
  decide: (current: Order) => Change<Order> | undefined,
  { withheld = [] }: Pick<Audited, 'withheld'> = {},
): Change<Order> | undefined {
  const change = decide(before);
  if (!change) return undefined;
  const { withheld: personal = [], ...fields } = changedFields(
    auditFields(before),
    auditFields(change.record),
    WITHHELD,
  );
  const object = { type: 'order', id: before.id } as const;
  return {
    ...change,
    audit: [{ object, orderId: before.id, ...fields, withheld: [...personal, ...withheld] }],
  };
}

const admin = ({ id, name }: { id: string; name: string }): Actor => ({ role: 'admin', id, name });

/** Deterministic for an admin and a key. */
const idOf = (adminId: string, key: string): string =>
  createHash('sha256')
    .update(JSON.stringify([adminId, key]))
    .digest('base64url');

/** Server-sent events that an order has changed; listeners then read the order. */
function liveRoutes({ store, changes }: Parts): Handlers<typeof ordersLiveEndpoints> {
  const listen = (who: string, signal: AbortSignal, isTheirs: (order: Order) => boolean) =>
    changes.listen({
      who,
      signal,
      messageOf: (order) => (isTheirs(order) ? changeOf(order) : undefined),
    });

  return {
    async 'GET /api/track/{token}/events'({ params, address, signal }) {
      const { id } = found(await store.byToken(params.token));
      return listen(`at ${networkOf(address)}`, signal, (order) => order.id === id);
    },

    async 'GET /api/customers/orders/events'({ person, signal }) {
      const own = addressOf(person);
      return listen(
        `customer ${person.id}`,
        signal,
        ({ customer }) => own !== undefined && customer.email.toLowerCase() === own,
      );
    },

    'GET /api/admin/orders/events': async ({ person, signal }) =>
      listen(`admin ${person.id}`, signal, () => true),
  };
}

/** @throws Problem `not-found` */
function found(order: Order | undefined): Order {
  if (!order) throw new Problem('not-found');
  setContextOrder(order.id);
  return order;
}
