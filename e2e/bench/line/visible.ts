import { setTimeout as sleep } from 'node:timers/promises';
import { type Buyer, openProvider } from '../../harness/buyer.ts';
import type { Addresses } from '../../harness/product.ts';
import { signWebhook } from './webhook.ts';

const ASK_EVERY_MS = 2;

/**
 * From sending the signed webhook to the first answer of the private link, asked again after a short pause: without
 * one the asking would take most of the processor. The provider holds its own webhooks back meanwhile.
 */
export async function measureVisible(product: Addresses, buyer: Buyer, orders: number): Promise<number[]> {
  const provider = openProvider(product);
  await provider.webhooks('hold');
  const durationsMs: number[] = [];
  for (let at = 0; at < orders; at++) {
    const payment = await buyer.start('visible@bench.test');
    await buyer.confirm(payment);
    const intent = payment.client_secret.slice(0, payment.client_secret.indexOf('_secret_'));
    const { events } = await provider.events({ type: 'payment_intent.succeeded', object: intent });
    const webhook = signWebhook(await provider.event(events[0]!.id), product.stripeWebhookSecret);
    const startedAt = performance.now();
    const sent = fetch(`${product.url}/api/payments/stripe-webhook`, { method: 'POST', ...webhook });
    while (!(await buyer.isVisible(payment.orderToken))) {
      if (performance.now() - startedAt > 10_000) throw new Error(`order ${payment.orderId} did not show`);
      await sleep(ASK_EVERY_MS);
    }
    durationsMs.push(performance.now() - startedAt);
    await (await sent).arrayBuffer();
  }
  await provider.webhooks('deliver');
  return durationsMs;
}
