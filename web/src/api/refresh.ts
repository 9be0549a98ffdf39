import { ApiProblem } from './problem.ts';

interface Asked {
  state: { data: unknown; error: Error | null };
}

/** Retry-After of a refusal in ms; 0 without one. */
export const askedPauseMs = (error: unknown): number =>
  error instanceof ApiProblem ? (error.retryAfterSeconds ?? 0) * 1000 : 0;

/**
 * Polls loaded data, respecting Retry-After. Data that never loaded is not polled, because that would remove the "Try
 * again" message; users or reconnects retry it.
 */
export const refreshEvery =
  (ms: number) =>
  ({ state }: Asked): number | false =>
    state.data === undefined ? false : Math.max(ms, askedPauseMs(state.error));
