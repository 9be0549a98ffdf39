import { containersRun } from '@arboleda/cli/compose.ts';
import { Kafka, logLevel } from 'kafkajs';
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Driver, openDriver } from '@arboleda/cli/demo/driver.ts';
import { openDatabase } from '../../harness/database.ts';
import { openProvider } from '../../driver/provider.ts';
import { putPerson } from '../../harness/accounts.ts';
import { startMailSink } from '../../harness/mail-sink.ts';
import type { Addresses } from '../../harness/product.ts';
import { signWebhook } from '../../harness/webhook.ts';
import { type Figures, percentile, withSpread } from '../figures.ts';
import { type MeasuredTier, openDistributed, openEmbedded } from './tiers.ts';

const EVERY_MS = 20;

/** Hands a message from one connection of an engine to another, with nothing of ours between. */
type Floor = (message: string) => Promise<void>;

/** NOTIFY on one connection of PostgreSQL, received on another that listens. */
async function openNotify(databaseUrl: string, closing: AsyncDisposableStack): Promise<Floor> {
  const speaker = closing.use(await openDatabase(databaseUrl));
  const listener = closing.use(await openDatabase(databaseUrl));
  await listener.query('listen bench');
  return async (message) => {
    const received = once(listener, 'notification');
    await speaker.query("select pg_notify('bench', $1)", [message]);
    await received;
  };
}

/** Produced with every acknowledgement, as our events are, and consumed by a group of its own. */
async function openKafka(brokers: string[], closing: AsyncDisposableStack): Promise<Floor> {
  const kafka = new Kafka({ brokers, clientId: 'floor', logLevel: logLevel.NOTHING });
  const topic = 'floor';
  const admin = kafka.admin();
  await admin.connect();
  await admin.createTopics({ topics: [{ topic, numPartitions: 1 }], waitForLeaders: true });
  await admin.disconnect();
  const consumer = kafka.consumer({ groupId: topic, maxWaitTimeInMs: 50 });
  closing.defer(() => consumer.disconnect());
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  let received: (value: string) => void = () => undefined;
  await consumer.run({ eachMessage: async ({ message }) => received(String(message.value)) });
  const producer = kafka.producer();
  closing.defer(() => producer.disconnect());
  await producer.connect();
  const send: Floor = async (message) => {
    const arrived = new Promise<void>((resolve) => {
      received = (value) => void (value === message && resolve());
    });
    await producer.send({ topic, acks: -1, messages: [{ value: message }] });
    await arrived;
  };
  // The first waits until the group has its partitions.
  await send('warm-up');
  return send;
}

/** @returns ms of each message */
async function measureFloor(send: Floor, messages: number): Promise<number[]> {
  const durations: number[] = [];
  for (let at = 0; at < messages; at++) {
    const startedAt = performance.now();
    await send(crypto.randomUUID());
    durations.push(performance.now() - startedAt);
    await sleep(EVERY_MS);
  }
  return durations;
}

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
  await using closing = new AsyncDisposableStack();
  closing.defer(() => tier.close());
  const floors = [{ what: 'floor: NOTIFY is received', send: await openNotify(tier.databaseUrl, closing) }];
  if (tier.brokers)
    floors.push({ what: 'floor: produced and consumed', send: await openKafka(tier.brokers, closing) });
  await putPerson(tier.product, 'worker', 'rosa@bench.test', 'QU-001');
  const driver = openDriver(tier.product);
  for (let n = 0; n < warmUps; n++) await measureMoments(tier.product, { driver, mails, orders });
  const seen = new Map<string, number[][]>();
  const note = (what: string, ms: number[]) => seen.set(what, [...(seen.get(what) ?? []), ms]);
  for (let round = 0; round < rounds; round++) {
    const moments = await measureMoments(tier.product, { driver, mails, orders });
    for (const [name, what] of Object.entries(MOMENTS) as [keyof Moments, string][])
      note(
        what,
        moments.map((one) => one[name]),
      );
    for (const { what, send } of floors) note(what, await measureFloor(send, orders));
  }
  return [...seen].map(([what, roundsMs]) => ({ tier: tier.name, what, roundsMs }));
}
