import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Driver } from '../../driver/driver.ts';
import { openProvider } from '../../driver/provider.ts';
import type { Addresses } from '../../harness/product.ts';
import { signWebhook } from '../../harness/webhook.ts';

/** From sending the signed webhook, ms: until the private link shows the order, shows its worker, and the mail server has the receipt. */
export interface Moments {
  visible: number;
  assigned: number;
  mailed: number;
}

/** Mails as they reach the mail server. */
export interface Mails {
  /** When the first mail to this address was there; see `performance.now()`. */
  firstTo(address: string): number | undefined;
}

/** Nothing is visible sooner, and asking takes processor time from the product. */
const ASK_AFTER_MS = 6;
const ASK_EVERY_MS = 2;
const WITHIN_MS = 10_000;

/**
 * Orders one by one. The private link is asked again after a short pause: without one the asking would take most of the
 * processor. The provider holds its own webhooks back meanwhile.
 */
export async function measureMoments(
  product: Addresses,
  { driver, mails, orders }: { driver: Driver; mails: Mails; orders: number },
): Promise<Moments[]> {
  const provider = openProvider(product);
  await provider.webhooks('hold');
  const found: Moments[] = [];
  for (let at = 0; at < orders; at++) {
    const email = `visible-${crypto.randomUUID()}@bench.test`;
    const payment = await driver.start(email);
    const intent = await driver.pay(payment.client_secret);
    const { events } = await provider.events({ type: 'payment_intent.succeeded', object: intent });
    const webhook = signWebhook(await provider.event(events[0]!.id), product.stripeWebhookSecret);
    const startedAt = performance.now();
    const sent = fetch(`${product.url}/api/payments/stripe-webhook`, { method: 'POST', ...webhook });
    const since = async (what: string, happened: () => Promise<number | undefined>): Promise<number> => {
      for (;;) {
        const instant = await happened();
        if (instant !== undefined) return instant - startedAt;
        if (performance.now() - startedAt > WITHIN_MS) throw new Error(`${payment.orderId}: never ${what}`);
        await sleep(ASK_EVERY_MS);
      }
    };
    const seen = async (status?: string) => {
      const shown = await statusOf(product, payment.orderToken);
      return shown !== undefined && (!status || shown === status) ? performance.now() : undefined;
    };
    await sleep(ASK_AFTER_MS);
    const visible = await since('visible', () => seen());
    const assigned = await since('assigned', () => seen('assigned'));
    const mailed = await since('mailed', async () => mails.firstTo(email));
    found.push({ visible, assigned, mailed });
    await (await sent).arrayBuffer();
  }
  await provider.webhooks('deliver');
  return found;
}

const agent = new Agent({ keepAlive: true });

/** The status at the private link; undefined while there is none. node:http costs half of what fetch does. */
async function statusOf({ url }: Addresses, token: string): Promise<string | undefined> {
  const [response] = (await once(get(`${url}/api/track/${token}`, { agent }), 'response')) as [
    IncomingMessage,
  ];
  const body = JSON.parse(await text(response)) as { status?: string };
  return response.statusCode === 200 ? body.status : undefined;
}
