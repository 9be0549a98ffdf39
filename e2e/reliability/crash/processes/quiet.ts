import { setTimeout as sleep } from 'node:timers/promises';

export interface Patience {
  /** Gives up when for so long there has not been less to do than ever before. */
  withoutProgressMs: number;
  /** Pause between two looks; more where a look takes long. */
  pauseMs: number;
}

const PATIENCE: Patience = { withoutProgressMs: 180_000, pauseMs: 500 };
/** Polling must not keep the product busy. */
const PAUSES_A_LOOK = 4;

/** Until nothing is left to do, or what is left does not become less any more: that the checker tells. */
export async function becomeQuiet(
  leftovers: () => Promise<readonly { count: number }[]>,
  { withoutProgressMs, pauseMs }: Patience = PATIENCE,
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
