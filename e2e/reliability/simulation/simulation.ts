import fc from 'fast-check';
import { type Activity, startActors } from './actors.ts';
import type { Fault } from './faults.ts';
import { histories, type History, linesOf } from './history.ts';
import { checkQuiet, watches } from './invariants.ts';
import { openProduct, type Product } from './services.ts';
import { openSimulator, Violation } from './simulator.ts';

const START_MS = Date.UTC(2026, 10, 21, 15);
/** Longer than the longest period of periodic work. */
const ROUND_MS = 2 * 3_600_000;
/** Periodic work of one round may cause more in the next. */
const LAST_ROUNDS = 2;

export interface Run {
  orders: number;
  deliveries: number;
  /** The broken invariant. */
  violation: string | undefined;
  /** The trace; empty unless the run is traced. */
  lines: readonly string[];
}

/**
 * Runs the product's own consumers, jobs and decisions on stores in memory, a simulated clock and a bus that delays, repeats, loses and
 * reorders deliveries while services crash between a write and its acknowledgement. A history lists all acts of people and all troubles
 * of deliveries, so the same history gives the same run, and fast-check can search for a failing one and shrink it. Invariants of a
 * document are checked after each write, and all invariants once everything was delivered.
 */
export async function runHistory(
  history: History,
  options: { fault?: Fault; isTraced?: boolean } = {},
): Promise<Run> {
  const { fault, isTraced = false } = options;
  const simulator = openSimulator(history, { startMs: START_MS, fault, isTraced });
  let activity: Activity | undefined;
  const watch = watches(simulator, () => ({ bought: activity!.bought, payments: product.payments }));
  const product: Product = await openProduct(simulator, fault, watch);
  const runOf = (violation?: string): Run => ({
    orders: activity?.bought.size ?? 0,
    deliveries: simulator.deliveries(),
    violation,
    lines: simulator.lines ?? [],
  });
  try {
    activity = startActors(history, simulator, product);
    await simulator.until(Infinity);
    for (let round = 0; round < LAST_ROUNDS; round++) {
      await simulator.until(simulator.nowMs() + ROUND_MS);
      await simulator.tick();
      await simulator.until(Infinity);
    }
    await checkQuiet(product, activity, simulator);
    return runOf();
  } catch (error) {
    if (error instanceof Violation) return runOf(error.message);
    throw error;
  }
}

/** A failing history. */
export interface Finding {
  seed: number;
  /** Identifies the shortest history for `replay`. */
  path: string;
  violation: string;
  history: History;
  /** Number of histories until it was found. */
  runs: number;
}

export interface Search {
  seed: number;
  /** How many histories. */
  runs: number;
  /** The most orders in each. */
  orders: number;
  fault?: Fault;
}

/** Runs many histories of a seed. @returns the shortest failing one, if any */
export async function search(
  options: Search,
): Promise<{ found: Finding | undefined; orders: number; deliveries: number }> {
  const { seed, runs, orders, fault } = options;
  const total = { orders: 0, deliveries: 0 };
  const property = fc.asyncProperty(histories(orders), async (history) => {
    const run = await runHistory(history, { fault });
    total.orders += run.orders;
    total.deliveries += run.deliveries;
    if (run.violation !== undefined) throw new Violation(run.violation);
  });
  const details = await fc.check(property, { seed, numRuns: runs, unbiased: true });
  const { errorInstance: error } = details;
  if (!error || !details.counterexample) return { found: undefined, ...total };
  if (!(error instanceof Violation)) throw error;
  const [history] = details.counterexample;
  const { counterexamplePath: path, numRuns } = details;
  return { found: { seed, path: path!, violation: error.message, history, runs: numRuns }, ...total };
}

/** Runs one history of a seed again. @param path from a finding */
export async function replay(
  seed: number,
  path: string,
  options: { orders: number; fault?: Fault },
): Promise<Run & { history: History }> {
  const { orders, fault } = options;
  const runs: (Run & { history: History })[] = [];
  const property = fc.asyncProperty(histories(orders), async (history) => {
    runs.push({ ...(await runHistory(history, { fault, isTraced: true })), history });
    return runs.at(-1)!.violation === undefined;
  });
  await fc.check(property, { seed, path, numRuns: 1, unbiased: true, endOnFailure: true });
  return runs[0]!;
}

/** Describes a finding: the invariant, how to replay it, the shortest history and its trace. */
export async function describeFinding(
  { seed, path, violation, history }: Finding,
  fault?: Fault,
): Promise<string> {
  const { lines } = await runHistory(history, { fault, isTraced: true });
  return [
    `Violated: ${violation}`,
    `Run it again with SIMULATION_SEED=${seed} SIMULATION_PATH=${path}. The shortest history:`,
    ...linesOf(history),
    'What happened:',
    ...lines,
  ].join('\n');
}
