import { setTimeout as sleep } from 'node:timers/promises';
import type { PartResult, RunOptions } from '../part.ts';
import { supervise } from '../supervisor.ts';
import { distributedTier, embeddedTier, oneProcessTier } from '../tiers.ts';
import { check } from './check.ts';
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
import { checkoutsOf, gather, openVisitors, openWorkers } from './people.ts';
import { openPostbox, readSnapshot } from './snapshot.ts';
import { openStores } from './stores.ts';

/** `rounds`: kills of each service at each of its points. `pauseMs`: average pause between random kills. `minutes`: the limit of a run. */
const LONG = { rounds: 10, kills: 500, checkouts: 2_000, pauseMs: 700, visitorsAtOnce: 8, minutes: 240 };
/** Each kill ends the whole product, and nobody buys until it is back. */
const LONG_TOGETHER = { ...LONG, rounds: 5, kills: 150, checkouts: 600, pauseMs: 3_000 };
const SHORT = { ...LONG, rounds: 1, kills: 3, checkouts: 25, visitorsAtOnce: 6, minutes: 10 };
type Extent = typeof LONG;

const LOOK_EVERY_MS = 500;
const REPORT_EVERY_MS = 60_000;

const TIERS = {
  embedded: { open: embeddedTier, long: LONG, work: 'services as processes of their own' },
  together: {
    open: oneProcessTier,
    long: LONG_TOGETHER,
    work: 'all services in one process, as npm start runs them,',
  },
  distributed: { open: distributedTier, long: LONG, work: 'services as processes of their own' },
};

/** Each figure can be set: `--kills=50`. */
const extentOf = ({ short, settings }: RunOptions, long: Extent): Extent => {
  const extent = { ...(short ? SHORT : long) };
  for (const name of Object.keys(extent) as (keyof Extent)[])
    if (settings[name] !== undefined) extent[name] = Number(settings[name]);
  return extent;
};

/** Kills services while people buy and plant, then compares the stores. `--tier=together`, `--tier=distributed`. */
export async function run(options: RunOptions): Promise<PartResult> {
  await using closing = new AsyncDisposableStack();
  const { short, print } = options;
  const name = (options.settings.tier ?? 'embedded') as keyof typeof TIERS;
  const { open, long, work } = TIERS[name];
  const extent = extentOf(options, long);
  const { env, product, programs, logDir, engines } = await open(closing);
  const postbox = openPostbox(product.inboxUrl);
  closing.defer(async () => void (await postbox.stop()));
  const supervisor = await supervise(programs, logDir);
  closing.defer(supervisor.stop);
  const { kills, collapses } = supervisor;
  const stores = await openStores(env);
  closing.defer(stores.close);

  const line = await gather(product);
  const { promises } = line;
  const catchingUp = watchCatchingUp(kills, stores.look);
  const visitors = openVisitors(line, extent.visitorsAtOnce);
  const workers = openWorkers(line);
  const over = Date.now() + extent.minutes * 60_000;
  const isOver = () => Date.now() > over;
  const report = (what: string) =>
    print(
      `${what}: ${kills.length} kills, ${checkoutsOf(promises)} checkouts, ${promises.photos.length} photos`,
    );
  const reporting = setInterval(() => report('so far'), REPORT_EVERY_MS);
  closing.defer(() => clearInterval(reporting));

  const ofServices = short ? SAMPLE : reached(name === 'distributed' ? 'kafka' : 'postgres');
  const points = name === 'together' ? together(ofServices) : ofServices;
  const unreached = await killAtPoints(supervisor, points, { rounds: extent.rounds, isOver });
  report('all crash points were passed');
  const names = programs.map((program) => program.name);
  await killAtRandom(supervisor, names, { times: extent.kills, pauseMs: extent.pauseMs, isOver });
  while (checkoutsOf(promises) < extent.checkouts && !isOver()) await sleep(LOOK_EVERY_MS);
  report('the last visitors come');
  await visitors.stop();
  await becomeQuiet(stores.leftovers);
  await workers.finish();
  await becomeQuiet(stores.leftovers);
  await catchingUp.stop();

  const snapshot = await readSnapshot(stores, product, promises, await postbox.stop());
  const unjudged = stores.judgesRecovery
    ? ''
    : ' Recovery times are reported and not judged: FerretDB replaces MongoDB.';
  const { paid, transfers, packages, gifts, steps, photos } = promises;
  return {
    part: name === 'embedded' ? 'crash' : `crash --tier=${name}`,
    work: `${checkoutsOf(promises)} checkouts (${paid.length} by card, ${transfers.length} by transfer, ${packages.length} photo packages, ${gifts.length} gifts), ${steps.length} steps of workers, ${photos.length} photos, ${kills.length} × kill −9; ${work} on ${engines}.${unjudged}`,
    tables: [matrixTable(kills), recoveryTable(kills)],
    violations: [
      ...check(snapshot, promises, kills),
      ...unreached,
      ...collapses,
      ...recoveryViolations(kills, !short && stores.judgesRecovery),
    ],
  };
}
