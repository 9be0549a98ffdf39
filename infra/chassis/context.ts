import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';

/** What follows one request or event through everything it causes. */
export interface Context {
  correlationId: string;
  /** The event that is being handled, when there is one. */
  causationId?: string | undefined;
  /** The span that is being worked in, while somebody traces. */
  traceparent?: string | undefined;
  /** The order that it is about, once that is known. */
  orderId?: string | undefined;
}

const storage = new AsyncLocalStorage<Context>();

export const withContext = <T>(context: Context, run: () => T): T => storage.run(context, run);
/** The context of the running request or event; a fresh one outside of any. */
export const currentContext = (): Context => storage.getStore() ?? { correlationId: randomUUID() };
/** Says which order the running work is about: its lines and spans, and what it causes, tell. */
export function aboutOrder(orderId: string): void {
  const running = storage.getStore();
  if (running) running.orderId = orderId;
}
export const hasContext = (): boolean => storage.getStore() !== undefined;
