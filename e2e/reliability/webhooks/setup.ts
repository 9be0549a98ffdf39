import { ORGANISATION } from '@arboleda/contracts/organisation.ts';
import { listen } from '@arboleda/chassis/http/server.ts';
import {
  TEST_CERTIFICATES,
  TEST_ORDER_TOKEN_SECRET,
  testServiceConfig,
} from '@arboleda/chassis/testing/config.ts';
import { startOrders } from '@arboleda/orders/service.ts';
import { payOnPage, reconcile, refund, sign } from '@arboleda/payments/test/actions.ts';
import { grove, type Harness, intentIdOf, openHarness } from '@arboleda/payments/test/harness.ts';
import { packageHarness } from '@arboleda/payments/test/package-harness.ts';
import { settled } from '../../harness/settled.ts';
import { waitFor } from '../../harness/wait.ts';
import type { Ending } from './truths.ts';

/** An event as the provider sent it. */
export interface Sent {
  type: string;
  raw: string;
}

interface StripeObject {
  id?: string;
  object?: string;
  payment_intent?: string | null;
  metadata?: Record<string, string>;
}

/** Payments and orders on a PostgreSQL of their own; what the provider tells is caught on its way. */
export type Setup = Awaited<ReturnType<typeof openSetup>>;

export async function openSetup() {
  const harness = await openHarness();
  const { platform, identity, sandbox } = harness;
  const orders = await startOrders(
    {
      ...testServiceConfig({ databaseUrl: platform.databaseUrl, jwksUrl: identity.jwksUrl }),
      orderTokenSecret: TEST_ORDER_TOKEN_SECRET,
      statsBaselineTrees: 0,
      statsCacheMs: 1000,
      organisation: ORGANISATION,
      ...TEST_CERTIFICATES,
    },
    { platform },
  );
  const post = await openPostOffice();
  sandbox.setWebhookUrl(post.url);
  const packages = packageHarness(harness);

  /** Waits until the provider has sent these, and collects them with all others. */
  async function collect(orderId: string, types: readonly string[]) {
    return waitFor(`${types.join(', ')} of ${orderId}`, async () => post.take(orderId, types));
  }
  const deliver = async ({ raw }: Sent) => {
    const { status } = await harness.webhook(raw, sign(raw));
    if (status !== 200) throw new Error(`a webhook was answered ${status}`);
  };

  return {
    ...actionsAt(harness, packages, deliver, collect),
    collect,
    deliver,
    reconcile: () => reconcile(harness),
    settled: () => settled(harness.query as never),
    query: harness.query,
    events: harness.events,
    async close() {
      await orders.close();
      await post.close();
      await harness.close();
    },
  };
}

/** Actions of people and banks, which change the provider's state. */
function actionsAt(
  harness: Harness,
  packages: ReturnType<typeof packageHarness>,
  deliver: (sent: Sent) => Promise<void>,
  collect: (orderId: string, types: readonly string[]) => Promise<{ wanted: Sent[] }>,
) {
  const { stripe, control } = harness.sandbox;
  const chargeOf = async (intentId: string) => (await stripe.paymentIntents.retrieve(intentId)).latest_charge;

  const actions = {
    async start() {
      let answer = await harness.checkout(grove);
      // A busy machine is let off once or twice.
      for (let again = 0; answer.status === 503 && again < 3; again++) answer = await harness.checkout(grove);
      if (answer.status !== 200) throw new Error(`a checkout was answered ${answer.status}`);
      return { orderId: String(answer.body.orderId), intentId: intentIdOf(answer) };
    },
    pay: (intentId: string, method = 'pm_card_visa') =>
      stripe.paymentIntents
        .confirm(intentId, { payment_method: method, return_url: 'https://arboleda.test/' })
        .catch((error: { code?: string }) => {
          if (error.code !== 'card_declined') throw error;
        }),
    settle: (intentId: string, outcome: 'succeeded' | 'failed') =>
      control('POST', `/payment_intents/${intentId}/settle`, { outcome }),
    cancel: (intentId: string) => stripe.paymentIntents.cancel(intentId),
    refundInDashboard: (intentId: string, amount?: number) =>
      stripe.refunds.create({ payment_intent: intentId, ...(amount && { amount }) }),
    failRefund: (refundId: string) => control('POST', `/refunds/${refundId}/fail`),
    async dispute(intentId: string) {
      return control('POST', '/disputes', { charge: await chargeOf(intentId) });
    },
    closeDispute: (id: string, outcome: 'won' | 'lost') =>
      control('POST', `/disputes/${id}/close`, { outcome }),
    /** A payment whose events arrived as they should. */
    async paid() {
      const started = await actions.start();
      await actions.pay(started.intentId);
      const { wanted } = await collect(started.orderId, ['payment_intent.succeeded']);
      for (const sent of wanted) await deliver(sent);
      return started;
    },
    /** A package that was paid, whose event arrived as it should. */
    async sellPackage(orderId: string) {
      await actions.payPackage((await actions.buyPackage(orderId)).checkoutUrl);
      const { wanted } = await collect(orderId, ['checkout.session.completed']);
      for (const sent of wanted) await deliver(sent);
      await waitFor(`the package of ${orderId}`, async () => {
        const [order] = await harness.query<{ growth: number }>(
          `select jsonb_array_length(growth) as growth from orders.orders where id = $1`,
          [orderId],
        );
        return order?.growth === 1;
      });
    },
    async refundAsAdmin(orderId: string, amount: number) {
      const [payment] = await harness.query<{ id: string }>('select id from payments where order_id = $1', [
        orderId,
      ]);
      const { body } = await refund(harness, payment!.id, { reason: 'less trees', amount });
      return String(body.refund.transactionId);
    },
    /** @returns the intent that pays for the package */
    async payPackage(checkoutUrl: string, card?: string): Promise<string> {
      const { body } = await payOnPage(harness, checkoutUrl, card);
      return String(body.id);
    },
    async buyPackage(orderId: string): Promise<{ checkoutUrl: string; sessionId: string }> {
      const { status, body } = await packages.buy(orderId);
      if (status !== 200) throw new Error(`the sale of a package was answered ${status}`);
      const checkoutUrl = String(body.checkoutUrl);
      return { checkoutUrl, sessionId: checkoutUrl.slice(checkoutUrl.lastIndexOf('/') + 1) };
    },
    expireSession: (sessionId: string) => stripe.checkout.sessions.expire(sessionId),
  };
  return actions;
}

/** Takes every webhook and keeps it, by the order that it is about in the end. */
async function openPostOffice() {
  const orderOfIntent = new Map<string, string>();
  let kept: { orderId: string | undefined; intentId: string | undefined; sent: Sent }[] = [];
  const server = await listen(
    async (request, response) => {
      const raw = Buffer.concat(await request.toArray()).toString();
      const event = JSON.parse(raw) as { type: string; data: { object: StripeObject } };
      const { object } = event.data;
      const intentId = object.object === 'payment_intent' ? object.id : (object.payment_intent ?? undefined);
      const orderId = object.metadata?.orderId;
      if (orderId && intentId) orderOfIntent.set(intentId, orderId);
      kept.push({ orderId, intentId, sent: { type: event.type, raw } });
      response.end();
    },
    { host: '127.0.0.1', port: 0 },
  );
  return {
    url: server.url,
    close: () => server.close(),
    /** @returns undefined while one of these has not come */
    take(orderId: string, types: readonly string[]) {
      const isMine = (one: (typeof kept)[number]) =>
        (one.orderId ?? orderOfIntent.get(one.intentId ?? '')) === orderId;
      const mine = kept.filter(isMine).map(({ sent }) => sent);
      const wanted: Sent[] = [];
      for (const type of types) {
        const found = mine.find((sent) => sent.type === type && !wanted.includes(sent));
        if (!found) return undefined;
        wanted.push(found);
      }
      kept = kept.filter((one) => !isMine(one));
      return { wanted, others: mine.filter((sent) => !wanted.includes(sent)) };
    },
  };
}

/** Payments, refunds, disputes, packages and the order of each payment, in one document: that of `Ending`. */
const ENDINGS = `
  select p.order_id as "orderId", jsonb_build_object(
    'payment', p.status,
    'failure', p.state -> 'failure' ->> 'reason',
    'refunds', array(select r.amount_minor || ' ' || r.status from payments.refunds r
      where r.subject_id = p.id order by r.amount_minor),
    'disputes', array(select d.status from payments.disputes d where d.subject_id = p.id order by d.id),
    'packages', array(select concat_ws(', ', k.status,
        (select string_agg(r.amount_minor || ' ' || r.status, ' ') from payments.refunds r where r.subject_id = k.id),
        (select string_agg(d.status, ' ') from payments.disputes d where d.subject_id = k.id))
      from payments.package_purchases k where k.order_id = p.order_id order by k.created_at),
    'order', (select jsonb_build_object(
        'orders', count(*) over (),
        'paid', (select count(*) from jsonb_array_elements(o.timeline) e where e ->> 'type' = 'paid'),
        'refundedMinor', o.refunded_minor,
        'disputes', array(select d ->> 'status' from jsonb_array_elements(o.disputes) d),
        'growth', jsonb_array_length(o.growth),
        'stopped', (select count(*) from jsonb_array_elements(o.growth) g where g ->> 'stoppedAt' is not null),
        'givenBack', o.is_given_back)
      from orders.orders o where o.payment_id = p.id limit 1)) as ending
  from payments.payments p where p.order_id = any($1)`;

/** How payments and orders stand, for each order: read from the database. */
export async function endingsOf(setup: Setup, orderIds: readonly string[]): Promise<Map<string, unknown>> {
  const rows = await setup.query<{ orderId: string; ending: unknown }>(ENDINGS, [orderIds]);
  return new Map(rows.map(({ orderId, ending }) => [orderId, ending]));
}

const NO_ORDER_NEWS = { refundedMinor: 0, disputes: [], growth: 0, stopped: 0, givenBack: false };

/** An ending with everything that it does not mention. */
export const wholeEnding = ({ order, ...ending }: Ending) => ({
  failure: null,
  refunds: [],
  disputes: [],
  packages: [],
  ...ending,
  order: order ? { orders: 1, paid: 1, ...NO_ORDER_NEWS, ...order } : null,
});
