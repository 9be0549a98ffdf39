import type { CrashPoint } from '@arboleda/chassis/crash-point.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Table } from '../../report/table.ts';
import { type Kill, WHOLE } from './processes/kills.ts';
import type { Supervisor } from './processes/supervisor.ts';

const STATE = ['before-commit', 'after-commit', 'published'] as const;

/** Which points the code of a service comes by while people buy, plant and open accounts. */
export const REACHED: Record<string, readonly CrashPoint[]> = {
  auth: [...STATE],
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

/** One for each service: what every run of the tests dies at. */
export const SAMPLE: typeof REACHED = {
  auth: ['after-commit'],
  payments: ['webhook-verified'],
  orders: ['published'],
  assignments: ['handled'],
  media: ['object-stored'],
  notifications: ['mail-handed-over'],
};

/** The same, of all services in one process. */
export const together = (points: typeof REACHED): typeof REACHED => ({
  [WHOLE]: [...new Set(Object.values(points).flat())],
});

/** No measure of anything: a machine that others share may take long to start a process. */
const UP_WITHIN_MS = 180_000;
const REACHED_WITHIN_MS = 180_000;
const LOOK_EVERY_MS = 25;
/** Up to so many times a point is passed first: not always the first thing after a start dies. */
const MOST_PASSES = 4;

/**
 * Each service dies at each of its points so often, all services at the same time, as long as there is time.
 * @returns what was never reached
 */
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
  await upAgain(supervisor, name, Date.now() + UP_WITHIN_MS);
  const until = Date.now() + REACHED_WITHIN_MS;
  supervisor.arm(name, point, Math.floor(Math.random() * MOST_PASSES));
  while (died() === before) {
    if (Date.now() > until) {
      supervisor.disarm(name);
      return false;
    }
    await sleep(LOOK_EVERY_MS);
  }
  return true;
}

async function upAgain(supervisor: Supervisor, name: string, until: number): Promise<void> {
  while (!supervisor.serves(name) && Date.now() < until) await sleep(LOOK_EVERY_MS);
}

/** How often each process died where. */
export function matrixTable(kills: readonly Kill[]): Table {
  const hows = [...new Set(kills.map((kill) => kill.how))].sort(
    (a, b) => Number(a === 'random') - Number(b === 'random') || a.localeCompare(b),
  );
  const processes = [...new Set(kills.map((kill) => kill.process))].sort();
  return {
    title: 'Kills −9, by process and point',
    columns: ['point', ...processes, 'all'],
    rows: [...hows.map((how) => row(how, (kill) => kill.how === how)), row('all', () => true)],
  };

  function row(title: string, isMeant: (kill: Kill) => boolean): (string | number)[] {
    const own = kills.filter(isMeant);
    const cells = processes.map((name) => own.filter((kill) => kill.process === name).length);
    return [title, ...cells.map((count) => (count === 0 ? '–' : String(count))), own.length];
  }
}
