import { intentIdOf } from '../../driver/driver.ts';
import { inTurn, type Race, race, times } from './race.ts';
import type { World } from './world.ts';

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
async function intentsByPayment(world: World): Promise<Map<string, number>> {
  const { payment_intents: intents } = await world.provider();
  const counts = new Map<string, number>();
  for (const { metadata } of intents) {
    const id = metadata.paymentId ?? '';
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

async function onePaymentEach(world: World, rounds: readonly Key[]): Promise<string[]> {
  const intents = await intentsByPayment(world);
  const stored = await world.rows<{ key: string; id: string }>(
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
  prepare: (_world, rounds) => keys(rounds),
  shots: (world, { key }, clients) =>
    times(
      clients,
      () => () =>
        world.call(START, { body: purchase('click@races.test'), headers: { 'Idempotency-Key': key } }),
    ),
  async judge(world, played) {
    const faults = played.flatMap(({ round, answers }) => {
      const secrets = new Set(answers.map(({ body }) => body?.client_secret));
      const all200 = answers.every(({ status }) => status === 200);
      return all200 && secrets.size === 1 ? [] : [`key ${round.key}: ${secrets.size} different answers`];
    });
    return [
      ...faults,
      ...(await onePaymentEach(
        world,
        played.map(({ round }) => round),
      )),
    ];
  },
});

export const twoTabs: Race = race<Key>({
  name: 'pay: two tabs, one key, other trees',
  effect: 'one payment and one intent; the other tab is told of the conflict',
  prepare: (_world, rounds) => keys(rounds),
  shots: (world, { key }, clients) =>
    times(clients, (client) => () => {
      const body = purchase('tabs@races.test', client % 2 === 0 ? 5 : 7);
      return world.call(START, { body, headers: { 'Idempotency-Key': key } });
    }),
  async judge(world, played) {
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
        world,
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
  prepare: (world, rounds) => inTurn(rounds, () => world.driver.start('confirm@races.test')),
  shots: (world, started, clients) =>
    times(clients, () => async () => {
      const { stripeApiUrl, stripePublishableKey } = world.product;
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
  async judge(world, played) {
    await world.settled();
    const { charges } = await world.provider();
    const ids = played.map(({ round }) => round.orderId);
    const orders = await world.rows<{ id: string; paid: number }>(
      `select id, (select count(*)::int from jsonb_array_elements(timeline) e where e ->> 'type' = 'paid') as paid
       from orders.orders where id = any($1)`,
      [ids],
    );
    const receipts = await world.rows<{ id: string; n: number }>(
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
