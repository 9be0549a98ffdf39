import { setTimeout as sleep } from 'node:timers/promises';
import type { Supervisor } from './processes/supervisor.ts';

const LOOK_EVERY_MS = 50;
/** More would only wait for processors. */
const MOST_AWAY = 2;

/**
 * kill −9 of one process after another, each taken by lot from those that run, now and then from those that are only
 * starting.
 */
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
