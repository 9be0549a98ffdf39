import { openBuyer, openProvider } from '../../harness/buyer.ts';
import type { Addresses } from '../../harness/product.ts';
import { signWebhook } from '../../harness/webhook.ts';

/** Of the half an hour that a quote holds. */
const QUOTE_KEPT_MS = 600_000;

/**
 * One order after another from a running copy: payment intent at prices that were seen, as a browser has, card confirmed at the
 * stand-in for Stripe, signed webhook that the stand-in holds back itself. @returns what buys one, up to the answer of the webhook
 */
export async function openBuying(product: Addresses): Promise<() => Promise<void>> {
  const buyer = openBuyer(product);
  const provider = openProvider(product);
  await provider.webhooks('hold');
  let seen = { quote: buyer.quote(), atMs: performance.now() };
  return async () => {
    if (performance.now() - seen.atMs > QUOTE_KEPT_MS)
      seen = { quote: buyer.quote(), atMs: performance.now() };
    const payment = await buyer.start('checkout@bench.test', 5, await seen.quote);
    await buyer.confirm(payment);
    const object = payment.client_secret.slice(0, payment.client_secret.indexOf('_secret_'));
    const { events } = await provider.events({ type: 'payment_intent.succeeded', object });
    const webhook = signWebhook(await provider.event(events[0]!.id), product.stripeWebhookSecret);
    const response = await fetch(`${product.url}/api/payments/stripe-webhook`, {
      method: 'POST',
      ...webhook,
    });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`a webhook was answered ${response.status}`);
  };
}
