import type { Currency } from '@arboleda/contracts/countries.ts';

/** How asking the provider went last. */
export interface LastRefresh {
  attemptedAt: Date;
  /** Tries in a row that gave nothing. */
  failures: number;
  /** Currencies whose offered rate was not believed. */
  refused: Currency[];
}

export interface RefreshPace {
  /** Between one success and the next try. */
  refreshMs: number;
  /** After the first failure; doubled with each further one, up to `refreshMs`. */
  retryMs: number;
}

/** Whether the provider is to be asked again. */
export function isDue(last: LastRefresh | undefined, pace: RefreshPace, now: Date): boolean {
  return !last || now.getTime() - last.attemptedAt.getTime() >= pauseMs(last.failures, pace);
}

/** How long to wait after so many failures in a row. */
export const pauseMs = (failures: number, { refreshMs, retryMs }: RefreshPace): number =>
  failures === 0 ? refreshMs : Math.min(refreshMs, retryMs * 2 ** Math.min(failures - 1, 20));
