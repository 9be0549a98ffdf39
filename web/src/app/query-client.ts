import { QueryClient } from '@tanstack/react-query';
import { ApiProblem } from '../api/problem.ts';
import { askedPauseMs } from '../api/refresh.ts';

/** Nobody looks at a page that loads for longer than this before it says why, ms. */
const LONGEST_PAUSE_MS = 5_000;

/**
 * A refusal will not change by asking again; a lost connection or a busy server may. Who has waited until the deadline,
 * or would have to wait long, is told and asks again by hand.
 */
export function worthRetrying(failures: number, error: unknown): boolean {
  if (failures >= 2) return false;
  if (!(error instanceof ApiProblem)) return true;
  const isRefusal = error.status >= 400 && error.status < 500;
  return !isRefusal && !error.isLate && askedPauseMs(error) <= LONGEST_PAUSE_MS;
}

/** 1 s, 2 s, and never before the server wants to be asked. */
export const retryPauseMs = (failures: number, error: unknown): number =>
  Math.max(1000 * 2 ** failures, askedPauseMs(error));

export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: { retry: worthRetrying, retryDelay: retryPauseMs, staleTime: 30_000 },
      mutations: { retry: false },
    },
  });
