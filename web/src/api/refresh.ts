import { ApiProblem } from './problem.ts';

interface Asked {
  state: { data: unknown; error: Error | null };
}

/** How long the server wants to be left alone, ms; 0 when it did not say. */
export const askedPauseMs = (error: unknown): number =>
  error instanceof ApiProblem ? (error.retryAfterSeconds ?? 0) * 1000 : 0;

/**
 * What is shown is asked for again so often, but not before the server wants to be asked. What never came is asked for
 * by a person, or when signal is back: asking by itself would take the message with "Try again" away each time.
 */
export const refreshEvery =
  (ms: number) =>
  ({ state }: Asked): number | false =>
    state.data === undefined ? false : Math.max(ms, askedPauseMs(state.error));
