import type { Outgoing } from './messages.ts';

/** Brokers refuse batches of more than a megabyte, and some of that is theirs. */
const MOST_CHARACTERS = 400_000;

type Send = (messages: readonly Outgoing[]) => Promise<void>;

/**
 * Sends one after another, which keeps the order, and what is asked for meanwhile together: a thousand callers then
 * cost a few round trips. Those that went together fail together.
 */
export function gather(send: Send): Send {
  let waiting: { messages: readonly Outgoing[]; resolve(): void; reject(error: unknown): void }[] = [];
  let sending = false;

  const next = () => {
    let room = MOST_CHARACTERS;
    const fits = waiting.findIndex(({ messages }) => (room -= sizeOf(messages)) < 0);
    // The first goes in any case.
    const many = fits === -1 ? waiting.length : Math.max(1, fits);
    const now = waiting.slice(0, many);
    waiting = waiting.slice(many);
    return now;
  };
  const run = async () => {
    sending = true;
    while (waiting.length > 0) {
      const now = next();
      try {
        await send(now.flatMap(({ messages }) => messages));
        for (const it of now) it.resolve();
      } catch (error) {
        for (const it of now) it.reject(error);
      }
    }
    sending = false;
  };

  return (messages) =>
    new Promise((resolve, reject) => {
      waiting.push({ messages, resolve, reject });
      if (!sending) void run();
    });
}

const sizeOf = (messages: readonly Outgoing[]): number =>
  messages.reduce((sum, { value }) => sum + (value?.length ?? 0), 0);
