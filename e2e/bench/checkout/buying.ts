import { Pool } from 'undici';
import { intentIdOf, openDriver, type StartedPayment } from '../../driver/driver.ts';
import { openProvider } from '../../driver/provider.ts';
import type { Addresses } from '../../harness/product.ts';
import { signWebhook } from '../../harness/webhook.ts';

/** A quote is valid for half an hour. */
const QUOTE_KEPT_MS = 600_000;
/** Each client has one call under way. */
const CONNECTIONS = 64;

interface Intent {
  id: string;
  status: string;
}

/**
 * One order after another from a running copy, by three calls: payment intent at prices that were seen, as a browser has; card confirmed at
 * the stand-in for Stripe; webhook of what that answered, signed as Stripe does, while the stand-in holds its own back. Whoever takes orders
 * is measured, so whoever gives them is to do little.
 * @returns what buys one, up to the answer of the webhook, and an end
 */
export async function openBuying(product: Addresses): Promise<{
  buy(): Promise<void>;
  /** Seconds that cards were being confirmed, all taken together: a call of the browser to Stripe, in which Arboleda has no part. */
  confirming(): number;
  close(): Promise<void>;
}> {
  await openProvider(product).webhooks('hold');
  const shop = new Pool(product.url, { connections: CONNECTIONS });
  const stripe = new Pool(product.stripeApiUrl, { connections: CONNECTIONS });
  const quote = quotes(product);
  let confirmingMs = 0;
  return {
    async buy() {
      const payment = await post<StartedPayment>(shop, '/api/pricing/create-payment-intent', {
        headers: { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
        body: JSON.stringify({
          trees: 5,
          packageType: 'grove',
          currency: 'USD',
          locale: 'en',
          customerEmail: 'checkout@bench.test',
          customerName: 'Bench Buyer',
          quote: await quote(),
        }),
      });
      const id = intentIdOf(payment.client_secret);
      const askedAt = performance.now();
      const intent = await post<Intent>(stripe, `/v1/payment_intents/${id}/confirm`, {
        headers: {
          authorization: `Bearer ${product.stripeSecretKey}`,
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: 'payment_method=pm_card_visa&return_url=http://127.0.0.1/',
      });
      confirmingMs += performance.now() - askedAt;
      if (intent.status !== 'succeeded') throw new Error(`an intent was confirmed and is ${intent.status}`);
      await post(
        shop,
        '/api/payments/stripe-webhook',
        signWebhook(succeeded(intent), product.stripeWebhookSecret),
      );
    },
    confirming: () => confirmingMs / 1000,
    close: async () => void (await Promise.all([shop.close(), stripe.close()])),
  };
}

const succeeded = (intent: Intent) => ({
  id: `evt_${crypto.randomUUID()}`,
  object: 'event',
  type: 'payment_intent.succeeded',
  data: { object: intent },
  created: Math.floor(Date.now() / 1000),
  livemode: false,
  pending_webhooks: 1,
  request: null,
});

function quotes(product: Addresses): () => Promise<string> {
  const { call } = openDriver(product);
  const quote = async () => (await call('GET /api/pricing/packages', { query: { currency: 'USD' } })).quote;
  let seen = { quote: quote(), atMs: performance.now() };
  return () => {
    if (performance.now() - seen.atMs > QUOTE_KEPT_MS) seen = { quote: quote(), atMs: performance.now() };
    return seen.quote;
  };
}

/** @throws with what was answered, unless that is a success */
async function post<Answer>(
  pool: Pool,
  path: string,
  what: { headers: Record<string, string>; body: string },
): Promise<Answer> {
  const { statusCode, body } = await pool.request({ method: 'POST', path, ...what });
  const text = await body.text();
  if (statusCode >= 300) throw new Error(`${path} was answered ${statusCode}: ${text}`);
  return JSON.parse(text) as Answer;
}
