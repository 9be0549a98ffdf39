import { ORGANISATION } from '@arboleda/contracts/organisation.ts';
import { listen } from '@arboleda/chassis/http/server.ts';
import {
  TEST_CERTIFICATES,
  TEST_ORDER_TOKEN_SECRET,
  testServiceConfig,
} from '@arboleda/chassis/testing/config.ts';
import { startOrders } from '@arboleda/orders/service.ts';
import { reconcile, sign } from '@arboleda/payments/test/actions.ts';
import { openHarness, QUIET } from '@arboleda/payments/test/harness.ts';
import { packageHarness } from '@arboleda/payments/test/package-harness.ts';
import { settled } from '../../harness/settled.ts';
import { waitFor } from '../../harness/wait.ts';

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

/** Payments and orders on their own PostgreSQL. The provider's webhooks are intercepted. */
export type Setup = Awaited<ReturnType<typeof openSetup>>;

export async function openSetup() {
  const harness = await openHarness({ reconcile: { ...QUIET, chargesIntervalMs: 1_000 } });
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
  return {
    harness,
    packages: packageHarness(harness),
    /** Waits until the provider has sent these, and takes them with all others of the order. */
    collect: (orderId: string, types: readonly string[]) =>
      waitFor(`${types.join(', ')} of ${orderId}`, async () => post.take(orderId, types)),
    async deliver({ raw }: Sent) {
      const { status } = await harness.webhook(raw, sign(raw));
      if (status !== 200) throw new Error(`a webhook was answered ${status}`);
    },
    reconcile: () => reconcile(harness),
    settled: () => settled(harness.query as never),
    async close() {
      await orders.close();
      await post.close();
      await harness.close();
    },
  };
}

/** Keeps every webhook, by order. */
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
    /** @returns undefined until all of these have come */
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

/** The expected state of payments and orders; amounts in minor units. A grove costs 2000. */
export interface Ending {
  payment: string;
  /** Why the last attempt failed. */
  failure?: string;
  /** By amount. */
  refunds?: readonly string[];
  disputes?: readonly string[];
  packages?: readonly string[];
  order?: {
    refundedMinor?: number;
    disputes?: readonly string[];
    growth?: number;
    /** Packages whose money went back. */
    stopped?: number;
    /** All money of the trees went back. */
    givenBack?: boolean;
  };
}

/** An `Ending` for each payment. */
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

/** Reads the ending of each order from the database. */
export async function endingsOf(setup: Setup, orderIds: readonly string[]): Promise<Map<string, unknown>> {
  const rows = await setup.harness.query<{ orderId: string; ending: unknown }>(ENDINGS, [orderIds]);
  return new Map(rows.map(({ orderId, ending }) => [orderId, ending]));
}

const NO_ORDER_NEWS = { refundedMinor: 0, disputes: [], growth: 0, stopped: 0, givenBack: false };

/** An ending with the defaults of the fields that it leaves out. */
export const wholeEnding = ({ order, ...ending }: Ending) => ({
  failure: null,
  refunds: [],
  disputes: [],
  packages: [],
  ...ending,
  order: order ? { orders: 1, paid: 1, ...NO_ORDER_NEWS, ...order } : null,
});
