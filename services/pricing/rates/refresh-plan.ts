import type { Currency } from '@arboleda/contracts/countries.ts';

export interface LastRefresh {
  attemptedAt: Date;
  failures: number;
  refused: Currency[];
}

export interface RefreshPace {
  refreshMs: number;
  /** Pause after the first failure; doubles with each further one, up to `refreshMs`. */
  retryMs: number;
}

export function isDue(last: LastRefresh | undefined, pace: RefreshPace, now: Date): boolean {
  return !last || now.getTime() - last.attemptedAt.getTime() >= pauseMs(last.failures, pace);
}

export const pauseMs = (failures: number, { refreshMs, retryMs }: RefreshPace): number =>
  failures === 0 ? refreshMs : Math.min(refreshMs, retryMs * 2 ** Math.min(failures - 1, 20));
