import { setTimeout as sleep } from 'node:timers/promises';
import type { PartResult, RunOptions } from '../parts.ts';
import { check } from './check.ts';
import { checkoutsOf, gather } from './clients.ts';
import {
  becomeQuiet,
  killAtPoints,
  killAtRandom,
  matrixTable,
  reached,
  recoveryTable,
  recoveryViolations,
  SAMPLE,
  together,
  watchCatchingUp,
} from './kills.ts';
import { openPostbox, readSnapshot } from './snapshot.ts';
import { supervise, type Supervisor } from './supervisor.ts';
import { distributedTier, embeddedTier, oneProcessTier } from './tiers.ts';
import { openCrowd, openField } from './visitors.ts';

interface Extent {
  /** How often each service dies at each of its points. */
  rounds: number;
  kills: number;
  checkouts: number;
  /** Between random kills, on average. */
  pauseMs: number;
  visitorsAtOnce: number;
  /** After so long nothing more is killed and nobody else comes, whatever was wanted. */
  minutes: number;
}

const LONG: Extent = {
  rounds: 10,
  kills: 500,
  checkouts: 2_000,
  pauseMs: 700,
  visitorsAtOnce: 8,
  minutes: 240,
};
/** Everything dies each time, and nobody buys meanwhile. */
const LONG_TOGETHER: Extent = { ...LONG, rounds: 5, kills: 150, checkouts: 600, pauseMs: 3_000 };
const SHORT: Extent = { rounds: 1, kills: 3, checkouts: 25, pauseMs: 700, visitorsAtOnce: 6, minutes: 10 };
const LOOK_EVERY_MS = 500;
const TELL_EVERY_MS = 60_000;

const TIERS = {
  embedded: { open: embeddedTier, long: LONG, work: 'services as processes of their own' },
  together: {
    open: oneProcessTier,
    long: LONG_TOGETHER,
    work: 'all services in one process, as npm start runs them,',
  },
  distributed: { open: () => distributedTier(), long: LONG, work: 'services as processes of their own' },
} as const;

const extentOf = ({ short, settings }: RunOptions, long: Extent): Extent => {
  const extent = { ...(short ? SHORT : long) };
  for (const name of ['rounds', 'kills', 'checkouts', 'pauseMs', 'visitorsAtOnce', 'minutes'] as const) {
    if (settings[name] !== undefined) extent[name] = Number(settings[name]);
  }
  return extent;
};

/** Services as processes of their own that are killed while people buy and plant; then everything is counted. */
export async function run(options: RunOptions): Promise<PartResult> {
  const { print } = options;
  const name = (options.settings.tier ?? 'embedded') as keyof typeof TIERS;
  const { open, long, work } = TIERS[name];
  const extent = extentOf(options, long);
  const tier = await open();
  const stores = await tier.openStores();
  const postbox = openPostbox(tier.inboxUrl);
  const closers: (() => Promise<void>)[] = [];
  let supervisor: Supervisor | undefined;
  try {
    supervisor = await supervise(tier.programs, tier.logDir);
    const line = await gather(tier);
    const { told } = line;
    const catchingUp = watchCatchingUp(supervisor.kills, stores.oldestWaiting);
    const crowd = openCrowd(line, extent.visitorsAtOnce);
    const field = openField(line);
    const over = Date.now() + extent.minutes * 60_000;
    const isOver = () => Date.now() > over;
    const tell = (what: string) =>
      print(
        `${what}: ${supervisor!.kills.length} kills, ${checkoutsOf(told)} checkouts, ${told.photos.length} photos`,
      );
    const telling = setInterval(() => tell('so far'), TELL_EVERY_MS);
    closers.push(async () => clearInterval(telling));

    const ofServices = options.short ? SAMPLE : reached(name === 'distributed' ? 'kafka' : 'postgres');
    const points = name === 'together' ? together(ofServices) : ofServices;
    const unreached = await killAtPoints(supervisor, points, { rounds: extent.rounds, isOver });
    tell('all crash points were passed');
    const names = tier.programs.map(({ name }) => name);
    await killAtRandom(supervisor, names, { times: extent.kills, pauseMs: extent.pauseMs, isOver });
    while (checkoutsOf(told) < extent.checkouts && !isOver()) await sleep(LOOK_EVERY_MS);
    tell('the last visitors come');
    await crowd.leave();
    await becomeQuiet(stores.leftovers);
    await field.finish();
    await becomeQuiet(stores.leftovers);
    await catchingUp.stop();
    await postbox.close();
    await postbox.empty();

    const snapshot = await readSnapshot({
      stores,
      url: tier.url,
      mails: postbox.mails,
      stripe: { apiUrl: tier.env.STRIPE_API_URL!, secretKey: tier.env.STRIPE_SECRET_KEY! },
    });
    const { kills, collapses } = supervisor;
    const unjudged = stores.judgesRecovery
      ? ''
      : ' How soon it recovers is told and not judged: FerretDB stands in for MongoDB.';
    const { table, violations } = check(snapshot, told, kills);
    return {
      part: name === 'embedded' ? 'crash' : `crash --tier=${name}`,
      work: `${checkoutsOf(told)} checkouts (${told.paid.length} by card, ${told.transfers.length} by transfer, ${told.packages.length} photo packages, ${told.gifts.length} gifts), ${told.steps.length} steps of workers, ${told.photos.length} photos, ${kills.length} × kill −9; ${work} on ${tier.engines}.${unjudged}`,
      tables: [matrixTable(kills), table, recoveryTable(kills)],
      violations: [
        ...violations,
        ...unreached,
        ...collapses,
        ...recoveryViolations(kills, !options.short && stores.judgesRecovery),
      ],
    };
  } finally {
    for (const close of closers) await close();
    await supervisor?.stop();
    await postbox.close();
    await stores.close();
    await tier.close();
  }
}
