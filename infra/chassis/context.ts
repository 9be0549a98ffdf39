import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';

/** Propagated from one request or event to everything it causes. */
export interface Context {
  correlationId: string;
  /** The event being handled, if any. */
  causationId?: string | undefined;
  /** The current span, when tracing is on. */
  traceparent?: string | undefined;
  /** Set once the order is known. */
  orderId?: string | undefined;
}

const storage = new AsyncLocalStorage<Context>();

export const withContext = <T>(context: Context, run: () => T): T => storage.run(context, run);
/** The context of the running request or event; a new one outside of both. */
export const currentContext = (): Context => storage.getStore() ?? { correlationId: randomUUID() };
/** Adds the order's id to the logs, spans and events of the current context. */
export function setContextOrder(orderId: string): void {
  const running = storage.getStore();
  if (running) running.orderId = orderId;
}
export const hasContext = (): boolean => storage.getStore() !== undefined;
