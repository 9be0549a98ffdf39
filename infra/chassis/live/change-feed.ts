import { Problem } from '@arboleda/contracts/problems.ts';
import type { StreamMessage } from '../http/handlers.ts';
import type { Logger } from '../log.ts';
import type { Records } from '../records.ts';
import { type Repeated, repeat } from '../repeat.ts';
import { type Listener, openListener } from './listener.ts';
import { type Changing, openSeen } from './seen.ts';

/** How often the store is asked what changed, by a process in which somebody listens. */
const ASK_EVERY_MS = 1_000;
/** Clocks differ, and a change takes a while from being stamped to being seen: so far back each question reaches. */
const OVERLAP_MS = 5_000;
const PAGE = 500;
/** In one turn; what is left comes with the next. */
const MAX_PAGES = 10;
/** Of one process. Each costs a connection and little else. */
const MAX_LISTENERS = 1_000;
/** Of one person or address: as many tabs and devices as anybody has. */
const MAX_LISTENERS_OF_ONE = 20;
const RETRY_AFTER_SECONDS = 15;

export interface ListenOptions<T, Message> {
  /** The person or address that listens. */
  who: string;
  /** Until when. */
  signal: AbortSignal;
  /** The message about a changed record; undefined when it is not for this listener. */
  messageOf: (record: T) => Message | undefined;
}

/**
 * Tells listeners which records changed, whichever replica changed them: own changes at once, those of others within
 * about a second. The store is asked while somebody listens, one question for all.
 */
export interface ChangeFeed<T extends Changing> {
  /** A change may be told twice, and of several changes at once the last alone. @throws Problem `unavailable`, `too-many-requests` */
  listen<Message>(options: ListenOptions<T, Message>): AsyncIterable<StreamMessage<Message>>;
  /** Own changes made through it are told at once. */
  telling<R extends Pick<Records<T>, 'change'>>(records: R): R;
  listeners(): number;
}

export function openChangeFeed<T extends Changing>(parts: {
  /**
   * At most `limit` records that were changed at `from` or later, in the order of `updatedAt` and id; behind `after` when it
   * is there. Asked every second, so it needs an index.
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
  let seen = openSeen(parts.versionOf);
  let turns: Repeated | undefined;
  let from = '';

  const tell = (record: T) => {
    if (listeners.size === 0 || !seen.note(record)) return;
    for (const listener of listeners.keys()) listener.hear(record);
  };

  const ask = async () => {
    const askedAt = clock().getTime();
    let after: readonly [string, string] | undefined;
    for (let page = 0; page < MAX_PAGES; page++) {
      const changed = await changedSince(from, after, PAGE);
      changed.forEach(tell);
      const last = changed.at(-1);
      if (!last || changed.length < PAGE) {
        from = new Date(askedAt - OVERLAP_MS).toISOString();
        seen.forgetBefore(from);
        return;
      }
      after = [last.updatedAt, last._id];
    }
    from = after![0];
  };

  const enter = (listener: Listener<T>, who: string) => {
    listeners.set(listener, who);
    if (turns) {
      // Somebody read before listening: what changed in between was told to the others already.
      for (const record of seen.records()) listener.hear(record);
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
    seen = openSeen(parts.versionOf);
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
    telling: <R extends Pick<Records<T>, 'change'>>(told: R): R => ({
      ...told,
      async change(id, decide, options) {
        let hasChanged = false;
        const deciding: typeof decide = (current) => {
          const change = decide(current);
          hasChanged = change !== undefined;
          return change;
        };
        const record = await told.change(id, deciding, options);
        if (hasChanged && record) tell(record);
        return record;
      },
    }),
    listeners: () => listeners.size,
  };
}
