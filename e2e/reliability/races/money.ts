import { intentIdOf, type StartedPayment } from '@arboleda/cli/demo/driver.ts';
import { inTurn } from '../../harness/wait.ts';
import { either, picture, type Played, type Race, race, type Setup } from './race.ts';

const ids = (played: readonly Played<{ orderId: string }>[]) => played.map(({ round }) => round.orderId);

export const clickTwice: Race = race<{ key: string }>({
  name: 'pay: one key, many clicks',
  effect: 'one payment, one intent, the same answer for all',
  prepare: (_setup, rounds) => inTurn(rounds, async () => ({ key: crypto.randomUUID() })),
  act: (setup, { key }) => {
    const buyer = { customerEmail: 'click@races.test', customerName: 'Rosa Prueba', locale: 'en' };
    return setup.call('POST /api/pricing/create-payment-intent', {
      body: { trees: 5, packageType: 'grove', currency: 'USD', ...buyer },
      headers: { 'Idempotency-Key': key },
    });
  },
  async judge(setup, played) {
    const { payment_intents: intents } = await setup.provider();
    const stored = await setup.rows<{ key: string; id: string }>(
      'select idempotency_key as key, id from payments.payments where idempotency_key = any($1)',
      [played.map(({ round }) => round.key)],
    );
    return played.flatMap(({ round: { key }, answers }) => {
      const secrets = new Set(
        answers.map(({ status, body }) => (status === 200 ? body.client_secret : status)),
      );
      const payments = stored.filter((one) => one.key === key);
      const made = intents.filter(({ metadata }) => metadata.paymentId === payments[0]?.id);
      return secrets.size === 1 && payments.length === 1 && made.length === 1
        ? []
        : [`key ${key}: ${secrets.size} answers, ${payments.length} payments, ${made.length} intents`];
    });
  },
});

export const confirmTwice: Race = race<StartedPayment>({
  name: 'card: confirmed by many at once',
  effect: 'one charge, one order, one receipt',
  prepare: (setup, rounds) => inTurn(rounds, () => setup.driver.start('confirm@races.test')),
  async act({ product }, { client_secret }) {
    const path = `/v1/payment_intents/${intentIdOf(client_secret)}/confirm`;
    const response = await fetch(new URL(path, product.stripeApiUrl), {
      method: 'POST',
      headers: { authorization: `Bearer ${product.stripePublishableKey}` },
      body: new URLSearchParams({ client_secret, payment_method: 'pm_card_visa' }),
    });
    return { status: response.status, headers: response.headers, body: await response.json() };
  },
  async judge(setup, played) {
    const { charges } = await setup.provider();
    const orders = await setup.rows<{ id: string; paid: number; receipts: number }>(
      `select id, (select count(*)::int from jsonb_array_elements(timeline) e where e ->> 'type' = 'paid') as paid,
         (select count(*)::int from notifications.mails m where m.order_id = o.id and kind = 'receipt') as receipts
       from orders.orders o where id = any($1)`,
      [ids(played)],
    );
    return played.flatMap(({ round: { orderId, client_secret } }) => {
      const intent = intentIdOf(client_secret);
      const charged = charges.filter((one) => one.payment_intent === intent && one.status === 'succeeded');
      const { paid, receipts } = orders.find(({ id }) => id === orderId) ?? { paid: 0, receipts: 0 };
      return charged.length === 1 && paid === 1 && receipts === 1
        ? []
        : [`order ${orderId}: ${charged.length} charges, ${paid} times paid, ${receipts} receipts`];
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

export const refundParts: Race = race<Paid>({
  name: 'refund: two fifths each, by many',
  effect: 'never more than was paid, and provider, payments and orders agree',
  async prepare(setup, rounds) {
    const admin = await setup.logIn('admin', 'refunds@races.test');
    return inTurn(rounds, async () => {
      const { orderId, amount, client_secret } = await setup.driver.buy('refund@races.test');
      const { paymentId } = await setup.driver.payment(admin, orderId);
      return { orderId, paymentId, intentId: intentIdOf(client_secret), amountMinor: amount, admin };
    });
  },
  act: (setup, { paymentId, amountMinor, admin }) =>
    setup.call('POST /api/admin/payments/{id}/refunds', {
      params: { id: paymentId },
      token: admin,
      body: { reason: 'Changed their mind', amount: Math.floor(amountMinor * 0.4) },
      headers: { 'Idempotency-Key': crypto.randomUUID() },
    }),
  async judge(setup, played) {
    const { refunds } = await setup.provider();
    const stored = await setup.rows<{ id: string; orders: number; payments: number }>(
      `select id, refunded_minor::int as orders, (select coalesce(sum(amount_minor), 0)::int from payments.refunds
         where subject_id = o.payment_id and status = 'succeeded') as payments
       from orders.orders o where id = any($1)`,
      [ids(played)],
    );
    return played.flatMap(({ round: { orderId, intentId, amountMinor } }) => {
      const made = refunds.filter((one) => one.payment_intent === intentId && one.status === 'succeeded');
      const provider = made.reduce((sum, { amount }) => sum + amount, 0);
      const { orders, payments } = stored.find(({ id }) => id === orderId)!;
      return made.length === 2 && provider === payments && payments === orders && provider <= amountMinor
        ? []
        : [
            `order ${orderId} of ${amountMinor}: provider ${provider}, payments ${payments}, orders ${orders}`,
          ];
    });
  },
});

interface Announced {
  orderId: string;
  admins: readonly [string, string];
}

async function announced(setup: Setup, rounds: number): Promise<Announced[]> {
  const admins = [
    await setup.logIn('admin', 'first@races.test'),
    await setup.logIn('admin', 'second@races.test'),
  ] as const;
  return inTurn(rounds, async () => {
    const evidence = [await picture()];
    const { orderId } = await setup.driver.announce('transfer@races.test', { currency: 'USD', evidence });
    return { orderId, admins };
  });
}

const approve = (setup: Setup, { orderId, admins }: Announced) =>
  setup.call('POST /api/admin/manual-payments/verify/{id}', {
    params: { id: orderId },
    token: admins[0],
    body: {},
  });

interface Outcome {
  id: string;
  status: string;
  /** The order's status, and the decisions in its history. */
  in_order: string | null;
  decisions: number;
  mails: string[];
  refunds: number;
  refunded: number;
  refunded_in_order: number | null;
}

/** How transfers stand, in payments, orders and notifications. */
const outcomes = (setup: Setup, played: readonly Played<Announced>[]): Promise<Outcome[]> =>
  setup.rows<Outcome>(
    `select t.order_id as id, t.status, o.manual_payment ->> 'verificationStatus' as in_order,
       (select count(*)::int from jsonb_array_elements(o.timeline) e where e ->> 'type' in ('approved', 'rejected')) as decisions,
       array(select kind from notifications.mails m where m.order_id = t.order_id
         and kind in ('transfer-approved', 'transfer-rejected')) as mails,
       (select count(*)::int from payments.refunds r where r.subject_id = t.id and r.status = 'succeeded') as refunds,
       (select coalesce(sum(amount_minor), 0)::int from payments.refunds r
         where r.subject_id = t.id and r.status = 'succeeded') as refunded,
       o.refunded_minor::int as refunded_in_order
     from payments.transfers t left join orders.orders o on o.id = t.order_id where t.order_id = any($1)`,
    [ids(played)],
  );

/** One decision, once in the order and once in an email. */
const isDecidedOnce = ({ status, in_order, decisions, mails }: Outcome): boolean =>
  status !== 'pending' && status === in_order && decisions === 1 && mails.join() === `transfer-${status}`;

const faultsOf = async (
  setup: Setup,
  played: readonly Played<Announced>[],
  isRight: (one: Outcome) => boolean,
) => (await outcomes(setup, played)).flatMap((one) => (isRight(one) ? [] : [JSON.stringify(one)]));

export const approveOrReject: Race = race<Announced>({
  name: 'transfer: approved and rejected',
  effect: 'one decision, one email',
  prepare: announced,
  act: (setup, round, client) =>
    either(
      client,
      () => approve(setup, round),
      () =>
        setup.call('POST /api/admin/manual-payments/reject/{id}', {
          params: { id: round.orderId },
          token: round.admins[1],
          body: { reason: 'No money came' },
        }),
    )(),
  judge: (setup, played) => faultsOf(setup, played, isDecidedOnce),
});

export const refundOrApprove: Race = race<Announced & { paymentId: string }>({
  name: 'transfer: approved while refunded',
  effect: 'approved once; given back once or not at all, and payments and orders agree',
  prepare: async (setup, rounds) => {
    const all = await announced(setup, rounds);
    return inTurn(all.length, async (at) => {
      const [kept] = await setup.rows<{ id: string }>(
        'select id from payments.transfers where order_id = $1',
        [all[at]!.orderId],
      );
      return { ...all[at]!, paymentId: kept!.id };
    });
  },
  act: (setup, round, client) =>
    either(
      client,
      () => approve(setup, round),
      () =>
        setup.call('POST /api/admin/payments/{id}/refunds', {
          params: { id: round.paymentId },
          token: round.admins[1],
          body: { reason: 'Sent by mistake' },
        }),
    )(),
  judge: (setup, played) =>
    faultsOf(
      setup,
      played,
      (one) =>
        one.status === 'approved' &&
        isDecidedOnce(one) &&
        one.refunds <= 1 &&
        one.refunded === one.refunded_in_order,
    ),
});
