import type { CrashPoint } from '@arboleda/chassis/crash-point.ts';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { TRAFFIC } from '@arboleda/contracts/events/traffic.ts';
import { type ServiceName, SERVICES } from '@arboleda/contracts/services.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from '../../bench/figures.ts';
import { type Going, repeatedly } from '../../harness/wait.ts';
import type { Table } from '../../report/table.ts';
import type { Kill, Supervisor } from '../supervisor.ts';
import { WHOLE } from '../tiers.ts';
import type { Stores } from './stores.ts';

export const concerns = (kill: Kill, service: string): boolean =>
  kill.process === service || kill.process === WHOLE;

const seconds = (ms: number): string => (Number.isNaN(ms) ? '–' : `${(ms / 1000).toFixed(2)} s`);

const times = (kills: readonly Kill[], until: 'servedAt' | 'caughtUpAt'): number[] =>
  kills.flatMap(({ at, [until]: then }) => (then === undefined ? [] : [then - at]));
const counting = (kills: readonly Kill[]) => kills.filter((kill) => !kill.isSuperseded);

/** Time from a kill to the next answer, and to the end of all work that waited. */
export function recoveryTable(kills: readonly Kill[]): Table {
  const counted = counting(kills);
  const row = (name: string, all: readonly number[]) => [
    name,
    all.length,
    ...[0.5, 0.95, 0.99, 1].map((share) => seconds(percentile(all, share))),
  ];
  const ofProcess = [...Map.groupBy(counted, (kill) => kill.process)].toSorted(([a], [b]) =>
    a.localeCompare(b),
  );
  return {
    title: 'Recovery, from the kill',
    columns: ['until', 'kills', 'p50', 'p95', 'p99', 'max'],
    rows: [
      row('a request is served', times(counted, 'servedAt')),
      row('nothing from before waits', times(counted, 'caughtUpAt')),
      ['killed again before that', kills.length - counted.length, '', '', '', ''],
      ...ofProcess.map(([name, own]) => row(`… of ${name}`, times(own, 'caughtUpAt'))),
    ],
  };
}

const RECOVERED_WITHIN_MS = 30_000;

/** All processes recover, and within 30 s (p99) if times are judged. */
export function recoveryViolations(kills: readonly Kill[], judgesTime = true): string[] {
  const counted = counting(kills);
  const lost = counted.filter((kill) => kill.servedAt === undefined || kill.caughtUpAt === undefined);
  const p99 = percentile(times(counted, 'caughtUpAt'), 0.99);
  const isLate = judgesTime && p99 > RECOVERED_WITHIN_MS;
  return [
    ...lost.map(({ process, how }) => `${process} did not recover from a kill (${how})`),
    ...(isLate ? [`recovery p99 is ${seconds(p99)}, more than ${seconds(RECOVERED_WITHIN_MS)}`] : []),
  ];
}

const STATE = ['before-commit', 'after-commit'] as const;
const OWN: Record<string, readonly CrashPoint[]> = {
  auth: STATE,
  payments: [
    ...STATE,
    ...(['job-done', 'object-stored', 'webhook-verified', 'intent-created', 'session-created'] as const),
    'refund-made',
  ],
  orders: [...STATE, 'handled'],
  assignments: [...STATE, 'handled', 'job-done'],
  media: [...STATE, 'job-done', 'object-stored'],
  notifications: [...STATE, 'handled', 'job-done', 'mail-handed-over'],
};

/**
 * Crash points that each service passes in a run. On Kafka the publisher of an event passes `published`, on PostgreSQL the service that
 * has handled it.
 */
export const reached = (events: 'kafka' | 'postgres'): typeof OWN =>
  Object.fromEntries(
    Object.entries(OWN).map(([service, points]) => {
      const { publishes, listensTo } = TRAFFIC[service as ServiceName];
      const passing = events === 'kafka' ? publishes : listensTo;
      return [service, passing.length > 0 ? [...points, 'published'] : points];
    }),
  );

/** One point for each service, for the short form. */
export const SAMPLE: typeof OWN = {
  auth: ['after-commit'],
  payments: ['webhook-verified'],
  orders: ['published'],
  assignments: ['handled'],
  media: ['object-stored'],
  notifications: ['mail-handed-over'],
};

/** The points of all services in one process. */
export const together = (points: typeof OWN): typeof OWN => ({
  [WHOLE]: [...new Set(Object.values(points).flat())],
});

/** Generous, because a busy machine starts processes slowly. */
const WITHIN_MS = 180_000;
const LOOK_EVERY_MS = 25;
/** Passes of a point before the kill, at most, so that not always the first work after a start dies. */
const MOST_PASSES = 4;

/** Kills all services at the same time, each at its points in turn. @returns a sentence for each point that was not reached */
export async function killAtPoints(
  supervisor: Supervisor,
  points: Record<string, readonly CrashPoint[]>,
  { rounds, isOver }: { rounds: number; isOver: () => boolean },
): Promise<string[]> {
  const missed = await Promise.all(
    Object.entries(points).map(async ([name, own]) => {
      const unreached: string[] = [];
      for (let round = 0; round < rounds; round++) {
        for (const point of own) {
          if (isOver()) return [];
          if (unreached.includes(point)) continue;
          const isReached = await killAt(supervisor, name, point);
          if (!isReached) unreached.push(point);
        }
      }
      return unreached.map((point) => `${name} never came by ${point}`);
    }),
  );
  return missed.flat();
}

async function killAt(supervisor: Supervisor, name: string, point: CrashPoint): Promise<boolean> {
  const died = () => supervisor.kills.filter((kill) => kill.process === name && kill.how === point).length;
  const before = died();
  const isWithin = (isSo: () => boolean): Promise<boolean> =>
    waitFor(isSo, WITHIN_MS, LOOK_EVERY_MS).catch(() => false);
  await isWithin(() => supervisor.serves(name));
  supervisor.arm(name, point, Math.floor(Math.random() * MOST_PASSES));
  const isReached = await isWithin(() => died() > before);
  if (!isReached) supervisor.disarm(name);
  return isReached;
}

/** How often each process died where. */
export function matrixTable(kills: readonly Kill[]): Table {
  const processes = [...new Set(kills.map((kill) => kill.process))].sort();
  const row = (title: string, own: readonly Kill[]) => {
    const cells = processes.map((name) => own.filter((kill) => kill.process === name).length);
    return [title, ...cells.map((count) => (count === 0 ? '–' : String(count))), own.length];
  };
  const byHow = [...Map.groupBy(kills, (kill) => kill.how)].toSorted(([a], [b]) => a.localeCompare(b));
  return {
    title: 'Kills −9, by process and point',
    columns: ['point', ...processes, 'all'],
    rows: [...byHow.map(([how, own]) => row(how, own)), row('all', kills)],
    isDetail: true,
  };
}

/** More processes would only wait for a processor. */
const MOST_AWAY = 2;

/** kill −9 of one random process after another, now and then of one that is still starting. */
export async function killAtRandom(
  supervisor: Supervisor,
  names: readonly string[],
  options: { times: number; pauseMs: number; isOver: () => boolean },
): Promise<void> {
  for (let count = 1; count <= options.times && !options.isOver(); count++) {
    await sleep(options.pauseMs * (0.5 + Math.random()));
    const away = () => names.filter((name) => !supervisor.serves(name)).length;
    while (away() > Math.min(MOST_AWAY, names.length) - 1) await sleep(LOOK_EVERY_MS);
    const isEarly = Math.random() < 0.1;
    const possible = names.filter((name) => (isEarly ? supervisor.isAlive(name) : supervisor.serves(name)));
    const chosen = possible[Math.floor(Math.random() * possible.length)];
    if (chosen === undefined) continue;
    supervisor.kill(chosen);
  }
}

/** Polling takes at most a fifth of the time. */
const PAUSES_A_LOOK = 4;

const CATCH_UP_LOOK_MS = 250;

/** Sets `caughtUpAt` of each kill once nothing from before it waits for its process. */
export function watchCatchingUp(kills: readonly Kill[], look: Stores['look']): Going<void> {
  const lookOnce = async () => {
    const behind = counting(kills).filter(
      (kill) => kill.servedAt !== undefined && kill.caughtUpAt === undefined,
    );
    if (behind.length === 0) return;
    const isDone = await look();
    for (const kill of behind) {
      const services = SERVICES.filter((service) => concerns(kill, service));
      if (services.every((service) => isDone(service, kill.at)))
        kill.caughtUpAt = Math.max(Date.now(), kill.servedAt!);
    }
  };
  const looking = repeatedly(async () => {
    const began = Date.now();
    await lookOnce();
    await sleep(PAUSES_A_LOOK * (Date.now() - began));
  }, CATCH_UP_LOOK_MS);
  return {
    async stop() {
      await looking.stop();
      await lookOnce();
    },
  };
}

/** `withoutProgressMs`: time without a new minimum of what is left. */
const PATIENCE = { withoutProgressMs: 180_000, pauseMs: 500 };

/** Waits until nothing is left to do, or gives up when it no longer becomes less: the checker then reports it. */
export async function becomeQuiet(
  leftovers: () => Promise<readonly { count: number }[]>,
  { withoutProgressMs, pauseMs } = PATIENCE,
): Promise<void> {
  let least = Infinity;
  let lessSince = Date.now();
  for (;;) {
    const began = Date.now();
    const left = (await leftovers()).reduce((sum, { count }) => sum + count, 0);
    if (left === 0) return;
    if (left < least) [least, lessSince] = [left, Date.now()];
    if (Date.now() - lessSince > withoutProgressMs) return;
    await sleep(Math.max(pauseMs, PAUSES_A_LOOK * (Date.now() - began)));
  }
}
