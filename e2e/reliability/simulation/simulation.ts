/**
 * Runs the product's own consumers, jobs and decisions over stores in memory, a clock that jumps and a bus that is late, repeats, loses
 * and reorders, while services die between a write and its acknowledgement. A history says who does what and which delivery meets
 * which trouble, so that the same history is the same run, and fast-check looks for one that breaks a rule and makes it short.
 * After every write the rules of the document written are checked, and all rules once everything has arrived.
 */
import fc from 'fast-check';
import { bringToLife, type Deeds } from './actors.ts';
import type { Fault } from './faults.ts';
import { type History, histories, inWords } from './history.ts';
import { checkQuiet, watches } from './invariants.ts';
import { openProduct, type Product } from './services.ts';
import { openWorld, Violation } from './world.ts';

const START_MS = Date.UTC(2026, 10, 21, 15);
/** Notifications looks once an hour for what it has not told of. */
const ROUND_MS = 2 * 3_600_000;
/** What the reconciler and other regular work find in one round may need another one. */
const LAST_ROUNDS = 2;

export interface Run {
  orders: number;
  deliveries: number;
  /** The rule that was broken. */
  violation: string | undefined;
  /** What happened, line by line, of a run that was traced. */
  lines: readonly string[];
}

/** Lives through one history. */
export async function live(
  history: History,
  options: { fault?: Fault; isTraced?: boolean } = {},
): Promise<Run> {
  const { fault, isTraced = false } = options;
  const troubles = history.map((life) => life.troubles);
  const world = openWorld({ startMs: START_MS, troubles, fault, isTraced });
  let deeds: Deeds | undefined;
  const watch = watches(world, () => ({ bought: deeds!.bought, payments: product.payments }));
  const product: Product = await openProduct(world, fault, watch);
  const runOf = (violation?: string): Run => ({
    ...{ orders: deeds?.bought.size ?? 0, deliveries: world.deliveries(), violation },
    lines: world.lines ?? [],
  });
  try {
    deeds = bringToLife(history, world, product);
    await world.until(Infinity);
    for (let round = 0; round < LAST_ROUNDS; round++) {
      await world.until(world.nowMs() + ROUND_MS);
      await world.tick();
      await world.until(Infinity);
    }
    await checkQuiet(product, deeds, world);
    return runOf();
  } catch (error) {
    if (error instanceof Violation) return runOf(error.message);
    throw error;
  }
}

/** A history that breaks a rule. */
export interface Finding {
  seed: number;
  /** Of the shortest history, for `replay`. */
  path: string;
  violation: string;
  history: History;
  /** How many histories were lived through before it was found. */
  runs: number;
}

export interface Search {
  seed: number;
  /** How many histories. */
  runs: number;
  /** At most so many orders in each. */
  orders: number;
  fault?: Fault;
}

/** Lives through many histories of a seed. @returns the shortest that breaks a rule; undefined when none does */
export async function search(
  options: Search,
): Promise<{ found: Finding | undefined; orders: number; deliveries: number }> {
  const { seed, runs, orders, fault } = options;
  const total = { orders: 0, deliveries: 0 };
  const property = fc.asyncProperty(histories(orders), async (history) => {
    const run = await live(history, { fault });
    total.orders += run.orders;
    total.deliveries += run.deliveries;
    if (run.violation !== undefined) throw new Violation(run.violation);
  });
  const details = await fc.check(property, { seed, numRuns: runs, unbiased: true });
  const { errorInstance: error } = details;
  if (!error || !details.counterexample) return { found: undefined, ...total };
  if (!(error instanceof Violation)) throw error;
  const [history] = details.counterexample;
  const path = details.counterexamplePath!;
  return {
    found: {
      seed,
      path,
      violation: error.message,
      history,
      runs: details.numRuns,
    },
    ...total,
  };
}

/** Lives through one history of a seed again. @param path as a finding names it */
export async function replay(
  seed: number,
  path: string,
  options: { orders: number; fault?: Fault },
): Promise<Run & { history: History }> {
  const { orders, fault } = options;
  const runs: (Run & { history: History })[] = [];
  const property = fc.asyncProperty(histories(orders), async (history) => {
    runs.push({ ...(await live(history, { fault, isTraced: true })), history });
    return runs.at(-1)!.violation === undefined;
  });
  await fc.check(property, { seed, path, numRuns: 1, unbiased: true, endOnFailure: true });
  return runs[0]!;
}

/** What a person needs to understand a finding and to see it again. */
export async function describeFinding(
  { seed, path, violation, history }: Finding,
  fault?: Fault,
): Promise<string> {
  const { lines } = await live(history, { fault, isTraced: true });
  return [
    `A rule is broken: ${violation}`,
    `Run it again with SIMULATION_SEED=${seed} SIMULATION_PATH=${path}. The shortest history:`,
    ...inWords(history),
    'What happened:',
    ...lines,
  ].join('\n');
}
