import { QueryClient } from '@tanstack/react-query';
import { ApiProblem } from './problem.ts';
import { askedPauseMs } from './refresh.ts';

/** Longest silent retry before the page shows the reason, ms. */
const LONGEST_PAUSE_MS = 5_000;

/**
 * Retries lost connections and busy servers, not refusals. After a deadline or a long Retry-After, the user retries by
 * hand.
 */
export function shouldRetry(failures: number, error: unknown): boolean {
  if (failures >= 2) return false;
  if (!(error instanceof ApiProblem)) return true;
  const isRefusal = error.status >= 400 && error.status < 500;
  return !isRefusal && !error.isLate && askedPauseMs(error) <= LONGEST_PAUSE_MS;
}

/** 1 s, 2 s, and never before Retry-After. */
export const retryPauseMs = (failures: number, error: unknown): number =>
  Math.max(1000 * 2 ** failures, askedPauseMs(error));

export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: { retry: shouldRetry, retryDelay: retryPauseMs, staleTime: 30_000 },
      mutations: { retry: false },
    },
  });
