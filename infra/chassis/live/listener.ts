import type { StreamMessage } from '../http/handlers.ts';

/** A listener with more unread messages is disconnected, and reads again after reconnecting. */
const MAX_UNREAD = 1000;

/** One listener, with the newest unread message of each document. */
export interface Listener<T> {
  notify(document: T): void;
  /** Ends when `signal` aborts or the listener is too slow. */
  messages(): AsyncIterable<StreamMessage<unknown>>;
}

export function openListener<T extends { _id: string }>(
  messageOf: (document: T) => unknown,
  signal: AbortSignal,
): Listener<T> {
  const unread = new Map<string, unknown>();
  let wakeUp = Promise.withResolvers<void>();
  let isTooSlow = false;
  signal.addEventListener('abort', () => wakeUp.resolve(), { once: true });

  return {
    notify(document) {
      const message = messageOf(document);
      if (message === undefined) return;
      isTooSlow ||= unread.size >= MAX_UNREAD && !unread.has(document._id);
      if (!isTooSlow) unread.set(document._id, message);
      wakeUp.resolve();
    },
    async *messages() {
      while (!signal.aborted) {
        await wakeUp.promise;
        wakeUp = Promise.withResolvers();
        if (signal.aborted) return;
        const batch = [...unread.values()];
        unread.clear();
        for (const data of batch) yield { data };
        if (isTooSlow) return;
      }
    },
  };
}
