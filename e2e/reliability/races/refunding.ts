import { type Race, race, times } from './race.ts';
import type { Shot } from './race.ts';
import type { World } from './world.ts';

interface Paid {
  orderId: string;
  paymentId: string;
  intentId: string;
  amountMinor: number;
  admin: string;
}

const REFUND = 'POST /api/admin/payments/{id}/refunds';

async function paidOrders(world: World, rounds: number): Promise<Paid[]> {
  const admin = await world.put('admin', 'refunds@races.test');
  const started = [];
  for (let at = 0; at < rounds; at += 8) {
    const some = times(Math.min(8, rounds - at), () => world.driver.buy('refund@races.test'));
    started.push(...(await Promise.all(some)));
  }
  const stored = await world.rows<{ id: string; order_id: string; intent_id: string; amount: number }>(
    'select id, order_id, intent_id, amount_minor::int as amount from payments.payments where order_id = any($1)',
    [started.map(({ orderId }) => orderId)],
  );
  return stored.map((row) => ({
    orderId: row.order_id,
    paymentId: row.id,
    intentId: row.intent_id,
    amountMinor: row.amount,
    admin,
  }));
}

const refund =
  (world: World, { paymentId, admin }: Paid, amount?: number, key?: string): Shot =>
  () =>
    world.call(REFUND, {
      params: { id: paymentId },
      token: admin,
      body: { reason: 'Changed their mind', ...(amount !== undefined && { amount }) },
      ...(key && { headers: { 'Idempotency-Key': key } }),
    });

interface Books {
  /** Minor units, by the provider, by payments and by orders. */
  atProvider: number;
  inPayments: number;
  inOrders: number;
  refunds: number;
}

/** The refunds of payments, as three stores have them. */
async function booksOf(world: World, paid: readonly Paid[]): Promise<Books[]> {
  await world.settled();
  const { refunds } = await world.provider();
  const inPayments = await world.rows<{ id: string; n: number; sum: number }>(
    `select subject_id as id, count(*)::int as n, sum(amount_minor)::int as sum from payments.refunds
     where subject_id = any($1) and status = 'succeeded' group by 1`,
    [paid.map(({ paymentId }) => paymentId)],
  );
  const inOrders = await world.rows<{ id: string; sum: number }>(
    `select id, refunded_minor::int as sum from orders.orders where id = any($1)`,
    [paid.map(({ orderId }) => orderId)],
  );
  return paid.map(({ orderId, paymentId, intentId }) => {
    const made = refunds.filter((one) => one.payment_intent === intentId && one.status === 'succeeded');
    const ours = inPayments.find(({ id }) => id === paymentId);
    return {
      atProvider: made.reduce((sum, { amount }) => sum + amount, 0),
      inPayments: ours?.sum ?? 0,
      inOrders: inOrders.find(({ id }) => id === orderId)?.sum ?? 0,
      refunds: ours?.n ?? 0,
    };
  });
}

const wrong = (one: Paid, books: Books) =>
  `payment ${one.paymentId} of ${one.amountMinor}: ${books.refunds} refunds, ${books.inPayments} given back; ` +
  `${books.atProvider} by the provider, ${books.inOrders} by the order`;

export const refundTwice: Race = race<Paid>({
  name: 'refund: all of it, by many',
  effect: 'the money goes back once, and all books say so',
  prepare: paidOrders,
  shots(world, paid, clients) {
    const key = crypto.randomUUID();
    return times(clients, (client) => refund(world, paid, undefined, client % 2 === 0 ? key : undefined));
  },
  async judge(world, played) {
    const paid = played.map(({ round }) => round);
    const books = await booksOf(world, paid);
    return paid.flatMap((one, at) => {
      const { atProvider, inPayments, inOrders, refunds } = books[at]!;
      const isRight = [atProvider, inPayments, inOrders].every((sum) => sum === one.amountMinor);
      return isRight && refunds === 1 ? [] : [wrong(one, books[at]!)];
    });
  },
});

export const refundParts: Race = race<Paid>({
  name: 'refund: two fifths each, by many',
  effect: 'never more than was paid, and all books agree',
  prepare: paidOrders,
  shots: (world, paid, clients) =>
    times(clients, () => refund(world, paid, Math.floor(paid.amountMinor * 0.4), crypto.randomUUID())),
  async judge(world, played) {
    const paid = played.map(({ round }) => round);
    const books = await booksOf(world, paid);
    return paid.flatMap((one, at) => {
      const { atProvider, inPayments, inOrders, refunds } = books[at]!;
      const agreed = atProvider === inPayments && inPayments === inOrders;
      return agreed && refunds === 2 ? [] : [wrong(one, books[at]!)];
    });
  },
});
