import { Problem } from '@arboleda/contracts/problems.ts';
import type { ServerResponse } from 'node:http';

const RETRY_AFTER_SECONDS = 5;

/** Nobody waits for the answer any more: nothing is wrong, and nothing can be said. */
export class CallerLeft extends Error {
  constructor() {
    super('the caller left');
    this.name = 'CallerLeft';
  }
}

/**
 * Gives work a time to be done in. Work that goes on regardless finishes unheard.
 * @throws Problem `timeout` when the time is over; CallerLeft when the connection closed; what `work` throws.
 */
export async function withDeadline<T>(
  response: ServerResponse,
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const over = Promise.withResolvers<never>();
  const end = (reason: Error) => {
    controller.abort(reason);
    over.reject(reason);
  };
  const leave = () => end(new CallerLeft());
  const timer = setTimeout(
    () => end(new Problem('timeout', { retryAfterSeconds: RETRY_AFTER_SECONDS })),
    timeoutMs,
  );
  response.once('close', leave);
  try {
    return await Promise.race([work(controller.signal), over.promise]);
  } finally {
    clearTimeout(timer);
    response.off('close', leave);
  }
}
