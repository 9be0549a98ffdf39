import { Problem } from '@arboleda/contracts/problems.ts';
import type { ServerResponse } from 'node:http';

const RETRY_AFTER_SECONDS = 5;

/** The caller closed the connection: there is nobody to answer, and nothing to log. */
export class CallerLeft extends Error {
  constructor() {
    super('the caller left');
    this.name = 'CallerLeft';
  }
}

/**
 * Limits how long a caller waits. `work` that ignores its signal goes on, and its result is dropped.
 * @throws Problem `timeout` after `timeoutMs`; CallerLeft when the connection closed; what `work` throws
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
