import { containersRun } from '@arboleda/cli/containers.ts';
import { makeTirelessWorker } from '../../harness/accounts.ts';
import { openDriver } from '../../driver/driver.ts';
import { startMailSink } from '../../harness/mail-sink.ts';
import { percentile, pointOf, withSpread } from '../figures.ts';
import type { Figures } from '../report/bench.ts';
import { type Floor, kafkaFloor, notifyFloor } from './floors.ts';
import { type Mails, measureMoments, type Moments } from './moments.ts';
import { type MeasuredTier, openDistributed, openEmbedded } from './tiers.ts';

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
  const firstMails = new Map<string, number>();
  const mails: Mails = { firstTo: (address) => firstMails.get(address) };
  const sink = await startMailSink((recipient) => {
    if (!firstMails.has(recipient)) firstMails.set(recipient, performance.now());
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
      ` engines run on the same two cores. Wanted: p99 of at most 25 ms embedded, 60 ms on Kafka.` +
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
    plot: {
      kind: 'bars',
      unit: 'ms, p99',
      series: [...new Set(seen.map(({ tier }) => tier))].map((name) => ({
        name,
        points: seen
          .filter(({ tier }) => tier === name)
          .map(({ what, roundsMs }) => pointOf(what, at(roundsMs, 0.99))),
      })),
    },
  };
}

const at = (rounds: readonly (readonly number[])[], share: number): number[] =>
  rounds.map((durations) => percentile(durations, share));

/** The floor is measured in the same rounds: what else the machine does meets both alike. */
async function measureTier(
  tier: MeasuredTier,
  mails: Mails,
  { rounds, orders, warmUps }: { rounds: number; orders: number; warmUps: number },
): Promise<Seen[]> {
  const floors: { what: string; floor: Floor }[] = [
    { what: 'floor: NOTIFY is heard', floor: notifyFloor(tier.databaseUrl) },
    ...(tier.brokers ? [{ what: 'floor: produced and consumed', floor: kafkaFloor(tier.brokers) }] : []),
  ];
  try {
    await makeTirelessWorker(tier.product);
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
