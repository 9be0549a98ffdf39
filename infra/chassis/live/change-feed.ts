import { Problem } from '@arboleda/contracts/problems.ts';
import type { StreamMessage } from '../http/handlers.ts';
import type { Logger } from '../log.ts';
import type { Records } from '../records.ts';
import { repeat, type Repeated } from '../repeat.ts';

/** A listener with more unread messages is disconnected, and reads again after reconnecting. */
const MAX_UNREAD = 1000;

/** One listener, with the newest unread message of each document. */
interface Listener<T> {
  notify(document: T): void;
  /** Ends when `signal` aborts or the listener is too slow. */
  messages(): AsyncIterable<StreamMessage<unknown>>;
}

export function openListener<T extends { id: string }>(
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
      isTooSlow ||= unread.size >= MAX_UNREAD && !unread.has(document.id);
      if (!isTooSlow) unread.set(document.id, message);
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

interface TimestampedRecord {
  id: string;
  /** ISO instant, by the clock of the process that wrote. */
  updatedAt: string;
}

/** Remembers which versions were sent. */
interface SentVersions<T extends TimestampedRecord> {
  /** @returns whether this version of the record is new */
  add(record: T): boolean;
  /** Forgets records that changed before. @param since ISO instant */
  forgetBefore(since: string): void;
  /** The last version of each remembered record. */
  records(): Iterable<T>;
}

/** @param versionOf differs between any two states of a record */
export function openSentVersions<T extends TimestampedRecord>(
  versionOf: (record: T) => string,
): SentVersions<T> {
  const seen = new Map<string, T>();
  return {
    add(record) {
      const known = seen.get(record.id);
      if (known && versionOf(known) === versionOf(record)) return false;
      seen.set(record.id, record);
      return true;
    },
    forgetBefore(since) {
      for (const [id, { updatedAt }] of seen) if (updatedAt < since) seen.delete(id);
    },
    records: () => seen.values(),
  };
}

/** Interval of the query, while there are listeners. */
const ASK_EVERY_MS = 1_000;
/** Each query overlaps the last one by this, for clock skew and for commits that become visible late. */
const OVERLAP_MS = 5_000;
const PAGE = 500;
/** Per query; the rest follows with the next one. */
const MAX_PAGES = 10;
/** Per process. A listener costs a connection and little else. */
const MAX_LISTENERS = 1_000;
/** Per person or address: enough for all their tabs and devices. */
const MAX_LISTENERS_OF_ONE = 20;
const RETRY_AFTER_SECONDS = 15;

interface ListenOptions<T, Message> {
  /** The person or address that listens. */
  who: string;
  /** Ends the listening. */
  signal: AbortSignal;
  /** Maps a changed record to a message; undefined when the listener must not get it. */
  messageOf: (record: T) => Message | undefined;
}

/**
 * Notifies listeners of changed records: of this replica's changes at once, of other replicas' within about a
 * second. One query serves all listeners.
 */
export interface ChangeFeed<T extends TimestampedRecord> {
  /**
   * A change may arrive twice; of several changes, only the last may arrive. @throws Problem `unavailable`,
   * `too-many-requests`
   */
  listen<Message>(options: ListenOptions<T, Message>): AsyncIterable<StreamMessage<Message>>;
  /** Wraps records so that changes made through them notify at once. */
  withNotifications<R extends Pick<Records<T>, 'change'>>(records: R): R;
  listeners(): number;
}

export function openChangeFeed<T extends TimestampedRecord>(parts: {
  /**
   * Records changed at `from` or later, ordered by `updatedAt` and id, starting behind `after`. Runs every second,
   * so it needs an index.
   */
  changedSince(from: string, after: readonly [string, string] | undefined, limit: number): Promise<T[]>;
  versionOf: (record: T) => string;
  clock: () => Date;
  logger: Logger;
  maxListeners?: number;
  askEveryMs?: number;
}): ChangeFeed<T> {
  const { changedSince, clock, logger, maxListeners = MAX_LISTENERS, askEveryMs = ASK_EVERY_MS } = parts;
  const listeners = new Map<Listener<T>, string>();
  let sent = openSentVersions(parts.versionOf);
  let turns: Repeated | undefined;
  let from = '';

  const notify = (record: T) => {
    if (listeners.size === 0 || !sent.add(record)) return;
    for (const listener of listeners.keys()) listener.notify(record);
  };

  const ask = async () => {
    const askedAt = clock().getTime();
    let after: readonly [string, string] | undefined;
    for (let page = 0; page < MAX_PAGES; page++) {
      const changed = await changedSince(from, after, PAGE);
      changed.forEach(notify);
      const last = changed.at(-1);
      if (!last || changed.length < PAGE) {
        from = new Date(askedAt - OVERLAP_MS).toISOString();
        sent.forgetBefore(from);
        return;
      }
      after = [last.updatedAt, last.id];
    }
    from = after![0];
  };

  const enter = (listener: Listener<T>, who: string) => {
    listeners.set(listener, who);
    if (turns) {
      // The listener read its page before it joined; changes since then were sent to the others only.
      for (const record of sent.records()) listener.notify(record);
      return;
    }
    from = new Date(clock().getTime() - OVERLAP_MS).toISOString();
    turns = repeat(askEveryMs, ask, logger, 'reading changes');
  };

  const leave = (listener: Listener<T>) => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    void turns?.stop();
    turns = undefined;
    sent = openSentVersions(parts.versionOf);
  };

  const admit = (who: string) => {
    const refuse = (type: 'unavailable' | 'too-many-requests') =>
      new Problem(type, { retryAfterSeconds: RETRY_AFTER_SECONDS });
    if (listeners.size >= maxListeners) throw refuse('unavailable');
    const own = [...listeners.values()].filter((one) => one === who).length;
    if (own >= MAX_LISTENERS_OF_ONE) throw refuse('too-many-requests');
  };

  return {
    listen<Message>({ who, signal, messageOf }: ListenOptions<T, Message>) {
      admit(who);
      const listener = openListener(messageOf, signal);
      if (!signal.aborted) {
        enter(listener, who);
        signal.addEventListener('abort', () => leave(listener), { once: true });
      }
      return listener.messages() as AsyncIterable<StreamMessage<Message>>;
    },
    withNotifications: <R extends Pick<Records<T>, 'change'>>(records: R): R => ({
      ...records,
      async change(id, decide, options) {
        let hasChanged = false;
        const deciding: typeof decide = (current) => {
          const change = decide(current);
          hasChanged = change !== undefined;
          return change;
        };
        const record = await records.change(id, deciding, options);
        if (hasChanged && record) notify(record);
        return record;
      },
    }),
    listeners: () => listeners.size,
  };
}
