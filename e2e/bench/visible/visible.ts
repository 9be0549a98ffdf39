import { containersRun } from '@arboleda/cli/compose.ts';
import { Kafka, logLevel } from 'kafkajs';
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Driver, openDriver } from '@arboleda/cli/demo/driver.ts';
import { openProvider } from '../../driver/provider.ts';
import { putPerson } from '../../harness/accounts.ts';
import { startMailSink } from '../../harness/mail-sink.ts';
import type { Addresses } from '../../harness/product.ts';
import { signWebhook } from '../../harness/webhook.ts';
import type { Figures } from '../bench.ts';
import { percentile, withSpread } from '../figures.ts';
import { type MeasuredTier, openDistributed, openEmbedded } from './tiers.ts';

/** How soon an engine hands a message from one connection to another, with nothing of ours between. @returns ms of each */
type Floor = (messages: number) => Promise<number[]>;

const EVERY_MS = 20;

/** NOTIFY on one connection of PostgreSQL, heard on another that listens. */
const notifyFloor =
  (databaseUrl: string): Floor =>
  async (messages) => {
    const clients = [databaseUrl, databaseUrl].map((connectionString) => new pg.Client({ connectionString }));
    const [speaker, listener] = clients as [pg.Client, pg.Client];
    for (const client of clients) await client.connect();
    await listener.query('listen bench');
    const durations: number[] = [];
    for (let at = 0; at < messages; at++) {
      const startedAt = performance.now();
      const heard = once(listener, 'notification');
      await speaker.query("select pg_notify('bench', $1)", [String(at)]);
      await heard;
      durations.push(performance.now() - startedAt);
      await sleep(EVERY_MS);
    }
    for (const client of clients) await client.end();
    return durations;
  };

/** Produced with every acknowledgement, as our events are, and consumed by a group of its own. */
const kafkaFloor =
  (brokers: string[]): Floor =>
  async (messages) => {
    const kafka = new Kafka({ brokers, clientId: 'floor', logLevel: logLevel.NOTHING });
    const topic = `floor-${Date.now()}`;
    const admin = kafka.admin();
    await admin.connect();
    await admin.createTopics({ topics: [{ topic, numPartitions: 1 }], waitForLeaders: true });
    const consumer = kafka.consumer({ groupId: topic, maxWaitTimeInMs: 50 });
    await consumer.connect();
    await consumer.subscribe({ topic, fromBeginning: true });
    let heard: (value: string) => void = () => undefined;
    await consumer.run({ eachMessage: async ({ message }) => heard(String(message.value)) });
    const producer = kafka.producer();
    await producer.connect();
    const send = async (value: string): Promise<number> => {
      const startedAt = performance.now();
      const arrived = new Promise<void>((resolve) => {
        heard = (one) => void (one === value && resolve());
      });
      await producer.send({ topic, acks: -1, messages: [{ value }] });
      await arrived;
      return performance.now() - startedAt;
    };
    // The first waits until the group has its partitions.
    await send('warm-up');
    const durations: number[] = [];
    for (let at = 0; at < messages; at++) {
      durations.push(await send(String(at)));
      await sleep(EVERY_MS);
    }
    await Promise.all([producer.disconnect(), consumer.disconnect()]);
    await admin.deleteTopics({ topics: [topic] });
    await admin.disconnect();
    return durations;
  };

/** From sending the signed webhook, ms: until the private link shows the order, shows its worker, and the mail server has the receipt. */
interface Moments {
  visible: number;
  assigned: number;
  mailed: number;
}

/** When the first mail to an address reached the mail server; see `performance.now()`. */
type FirstMails = ReadonlyMap<string, number>;

/** Nothing is visible sooner, and asking takes processor time from the product. */
const ASK_AFTER_MS = 6;
const ASK_EVERY_MS = 2;
const WITHIN_MS = 10_000;

/**
 * Orders one by one. The private link is asked again after a short pause: without one the asking would take most of the
 * processor. The provider holds its own webhooks back meanwhile.
 */
async function measureMoments(
  product: Addresses,
  { driver, mails, orders }: { driver: Driver; mails: FirstMails; orders: number },
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
    const mailed = await since('mailed', async () => mails.get(email));
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

const SHARES = [0.5, 0.99];
const MOMENTS: Record<keyof Moments, string> = {
  visible: 'the private link shows the order',
  assigned: '… and its worker',
  mailed: 'the mail server has the receipt',
};
/** A JVM and a process for each service compile what they do often. */
const WARM_UPS = 8;

/** One thing that was measured, in each round. */
interface Seen {
  tier: string;
  what: string;
  roundsMs: number[][];
}

/** Measures how soon a paid order is visible, assigned and emailed, in both tiers, beside the latency of their engines. */
export async function visible({ quick }: { quick: boolean }): Promise<Figures> {
  const load = quick ? { rounds: 1, orders: 5, warmUps: 1 } : { rounds: 5, orders: 100, warmUps: WARM_UPS };
  const mails = new Map<string, number>();
  const sink = await startMailSink((recipient) => {
    if (!mails.has(recipient)) mails.set(recipient, performance.now());
  });
  const env = { RATE_LIMIT_SCALE: '100000', LOG_LEVEL: 'error', SMTP_URL: sink.smtpUrl };
  // Containers take a minute to start, which is no quick proof.
  const withContainers = !quick && containersRun();
  const seen: Seen[] = [];
  try {
    seen.push(...(await measureTier(await openEmbedded(env), mails, load)));
    if (withContainers) seen.push(...(await measureTier(await openDistributed(env), mails, load)));
  } finally {
    await sink.close();
  }
  return {
    bench: 'visible',
    work:
      `From the webhook to each moment, ${load.rounds} rounds of ${load.orders} orders one by one after ${load.warmUps} that warm up; the generator and all` +
      ` engines run on the same two cores.` +
      (withContainers ? '' : ' Kafka is left out.'),
    tables: [
      {
        title: 'From the webhook, ms',
        columns: ['tier', 'until', ...SHARES.map((share) => `p${100 * share}`)],
        rows: seen.map(({ tier, what, roundsMs }) => [
          tier,
          what,
          ...SHARES.map((share) => withSpread(at(roundsMs, share))),
        ]),
      },
    ],
  };
}

const at = (rounds: readonly (readonly number[])[], share: number): number[] =>
  rounds.map((durations) => percentile(durations, share));

/** The floor is measured in the same rounds: what else the machine does meets both alike. */
async function measureTier(
  tier: MeasuredTier,
  mails: FirstMails,
  { rounds, orders, warmUps }: { rounds: number; orders: number; warmUps: number },
): Promise<Seen[]> {
  const floors: { what: string; floor: Floor }[] = [
    { what: 'floor: NOTIFY is heard', floor: notifyFloor(tier.databaseUrl) },
    ...(tier.brokers ? [{ what: 'floor: produced and consumed', floor: kafkaFloor(tier.brokers) }] : []),
  ];
  try {
    await putPerson(tier.product, 'worker', 'rosa@bench.test', 'QU-001');
    const driver = openDriver(tier.product);
    for (let n = 0; n < warmUps; n++) await measureMoments(tier.product, { driver, mails, orders });
    const moments: Moments[][] = [];
    const floorsMs = floors.map((): number[][] => []);
    for (let round = 0; round < rounds; round++) {
      moments.push(await measureMoments(tier.product, { driver, mails, orders }));
      for (const [index, { floor }] of floors.entries()) floorsMs[index]!.push(await floor(orders));
    }
    const names = Object.keys(MOMENTS) as (keyof Moments)[];
    return [
      ...names.map((name) => ({
        what: MOMENTS[name],
        roundsMs: moments.map((round) => round.map((one) => one[name])),
      })),
      ...floors.map(({ what }, index) => ({ what, roundsMs: floorsMs[index]! })),
    ].map((one) => ({ tier: tier.name, ...one }));
  } finally {
    await tier.close();
  }
}
