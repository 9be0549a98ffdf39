import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';

/** What follows one request or event through everything it causes. */
export interface Context {
  correlationId: string;
  /** The event that is being handled, when there is one. */
  causationId?: string | undefined;
  /** The span that is being worked in, while somebody traces. */
  traceparent?: string | undefined;
}

const storage = new AsyncLocalStorage<Context>();

export const withContext = <T>(context: Context, run: () => T): T => storage.run(context, run);
/** The context of the running request or event; a fresh one outside of any. */
export const currentContext = (): Context => storage.getStore() ?? { correlationId: randomUUID() };
export const hasContext = (): boolean => storage.getStore() !== undefined;
