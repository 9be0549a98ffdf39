import { intentIdOf } from '../../driver/driver.ts';
import { inTurn } from '../../harness/wait.ts';
import { type Race, race, type Shot, times, type Setup } from './race.ts';

const START = 'POST /api/pricing/create-payment-intent';

const purchase = (email: string, trees = 5) => ({
  trees,
  packageType: trees === 5 ? 'grove' : 'custom',
  currency: 'USD',
  customerEmail: email,
  customerName: 'Rosa Prueba',
  locale: 'en',
});

interface Key {
  key: string;
}

const keys = (rounds: number): Promise<Key[]> =>
  Promise.resolve(times(rounds, () => ({ key: crypto.randomUUID() })));

/** How many intents the provider made for each payment of ours. */
async function intentsByPayment(setup: Setup): Promise<Map<string, number>> {
  const { payment_intents: intents } = await setup.provider();
  const counts = new Map<string, number>();
  for (const { metadata } of intents) {
    const id = metadata.paymentId ?? '';
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

async function onePaymentEach(setup: Setup, rounds: readonly Key[]): Promise<string[]> {
  const intents = await intentsByPayment(setup);
  const stored = await setup.rows<{ key: string; id: string }>(
    'select idempotency_key as key, id from payments.payments where idempotency_key = any($1)',
    [rounds.map(({ key }) => key)],
  );
  return rounds.flatMap(({ key }) => {
    const [payment, ...more] = stored.filter((one) => one.key === key);
    if (!payment || more.length > 0) return [`key ${key}: ${payment ? more.length + 1 : 0} payments`];
    const made = intents.get(payment.id) ?? 0;
    return made === 1 ? [] : [`payment ${payment.id}: ${made} intents at the provider`];
  });
}

export const oneKey: Race = race<Key>({
  name: 'pay: one key, many clicks',
  effect: 'one payment, one intent, the same answer for all',
  prepare: (_setup, rounds) => keys(rounds),
  shots: (setup, { key }, clients) =>
    times(
      clients,
      () => () =>
        setup.call(START, { body: purchase('click@races.test'), headers: { 'Idempotency-Key': key } }),
    ),
  async judge(setup, played) {
    const faults = played.flatMap(({ round, answers }) => {
      const secrets = new Set(answers.map(({ body }) => body?.client_secret));
      const all200 = answers.every(({ status }) => status === 200);
      return all200 && secrets.size === 1 ? [] : [`key ${round.key}: ${secrets.size} different answers`];
    });
    return [
      ...faults,
      ...(await onePaymentEach(
        setup,
        played.map(({ round }) => round),
      )),
    ];
  },
});

export const twoTabs: Race = race<Key>({
  name: 'pay: two tabs, one key, other trees',
  effect: 'one payment and one intent; the other tab is told of the conflict',
  prepare: (_setup, rounds) => keys(rounds),
  shots: (setup, { key }, clients) =>
    times(clients, (client) => () => {
      const body = purchase('tabs@races.test', client % 2 === 0 ? 5 : 7);
      return setup.call(START, { body, headers: { 'Idempotency-Key': key } });
    }),
  async judge(setup, played) {
    const faults = played.flatMap(({ round, answers }) => {
      const amounts = new Set(answers.filter(({ status }) => status === 200).map(({ body }) => body.amount));
      const refused = answers.filter(({ status }) => status === 409).length;
      return amounts.size === 1 && refused === Math.floor(answers.length / 2)
        ? []
        : [`key ${round.key}: ${amounts.size} amounts agreed on, ${refused} conflicts told`];
    });
    return [
      ...faults,
      ...(await onePaymentEach(
        setup,
        played.map(({ round }) => round),
      )),
    ];
  },
});

export interface Started {
  orderId: string;
  client_secret: string;
}

export const confirmTwice: Race = race<Started>({
  name: 'card: confirmed by many at once',
  effect: 'one charge, one order, one receipt',
  prepare: (setup, rounds) => inTurn(rounds, () => setup.driver.start('confirm@races.test')),
  shots: (setup, started, clients) =>
    times(clients, () => async () => {
      const { stripeApiUrl, stripePublishableKey } = setup.product;
      const intent = intentIdOf(started.client_secret);
      const response = await fetch(`${stripeApiUrl}/v1/payment_intents/${intent}/confirm`, {
        method: 'POST',
        headers: { authorization: `Bearer ${stripePublishableKey}` },
        body: new URLSearchParams({
          client_secret: started.client_secret,
          payment_method: 'pm_card_visa',
        }),
      });
      return { status: response.status, headers: response.headers, body: await response.json() };
    }),
  async judge(setup, played) {
    await setup.settled();
    const { charges } = await setup.provider();
    const ids = played.map(({ round }) => round.orderId);
    const orders = await setup.rows<{ id: string; paid: number }>(
      `select id, (select count(*)::int from jsonb_array_elements(timeline) e where e ->> 'type' = 'paid') as paid
       from orders.orders where id = any($1)`,
      [ids],
    );
    const receipts = await setup.rows<{ id: string; n: number }>(
      `select order_id as id, count(*)::int as n from notifications.mails
       where order_id = any($1) and kind = 'receipt' group by 1`,
      [ids],
    );
    return played.flatMap(({ round: { orderId, client_secret } }) => {
      const intent = intentIdOf(client_secret);
      const charged = charges.filter(
        (one) => one.payment_intent === intent && one.status === 'succeeded',
      ).length;
      const order = orders.find(({ id }) => id === orderId);
      const mailed = receipts.find(({ id }) => id === orderId)?.n ?? 0;
      if (charged === 1 && order?.paid === 1 && mailed === 1) return [];
      return [`order ${orderId}: ${charged} charges, ${order?.paid ?? 0} times paid, ${mailed} receipts`];
    });
  },
});

interface Paid {
  orderId: string;
  paymentId: string;
  intentId: string;
  amountMinor: number;
  admin: string;
}

const REFUND = 'POST /api/admin/payments/{id}/refunds';

async function paidOrders(setup: Setup, rounds: number): Promise<Paid[]> {
  const admin = await setup.put('admin', 'refunds@races.test');
  const started = [];
  for (let at = 0; at < rounds; at += 8) {
    const some = times(Math.min(8, rounds - at), () => setup.driver.buy('refund@races.test'));
    started.push(...(await Promise.all(some)));
  }
  const stored = await setup.rows<{ id: string; order_id: string; intent_id: string; amount: number }>(
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
  (setup: Setup, { paymentId, admin }: Paid, amount?: number, key?: string): Shot =>
  () =>
    setup.call(REFUND, {
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
async function booksOf(setup: Setup, paid: readonly Paid[]): Promise<Books[]> {
  await setup.settled();
  const { refunds } = await setup.provider();
  const inPayments = await setup.rows<{ id: string; n: number; sum: number }>(
    `select subject_id as id, count(*)::int as n, sum(amount_minor)::int as sum from payments.refunds
     where subject_id = any($1) and status = 'succeeded' group by 1`,
    [paid.map(({ paymentId }) => paymentId)],
  );
  const inOrders = await setup.rows<{ id: string; sum: number }>(
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
  shots(setup, paid, clients) {
    const key = crypto.randomUUID();
    return times(clients, (client) => refund(setup, paid, undefined, client % 2 === 0 ? key : undefined));
  },
  async judge(setup, played) {
    const paid = played.map(({ round }) => round);
    const books = await booksOf(setup, paid);
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
  shots: (setup, paid, clients) =>
    times(clients, () => refund(setup, paid, Math.floor(paid.amountMinor * 0.4), crypto.randomUUID())),
  async judge(setup, played) {
    const paid = played.map(({ round }) => round);
    const books = await booksOf(setup, paid);
    return paid.flatMap((one, at) => {
      const { atProvider, inPayments, inOrders, refunds } = books[at]!;
      const agreed = atProvider === inPayments && inPayments === inOrders;
      return agreed && refunds === 2 ? [] : [wrong(one, books[at]!)];
    });
  },
});
