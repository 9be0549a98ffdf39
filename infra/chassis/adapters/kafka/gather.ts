import type { Outgoing } from './client.ts';

type Send = (messages: readonly Outgoing[]) => Promise<void>;

/** Brokers refuse batches of more than a megabyte, and some of that is theirs. */
const MOST_CHARACTERS = 400_000;

/**
 * Sends one after another: beside one that fails kafkajs gives the next its number, and Kafka takes both for the same. What is
 * asked for meanwhile goes together, and fails together; what is too big for that goes alone.
 */
export function gather(send: Send): Send {
  let last: Promise<unknown> = Promise.resolve();
  let next: { messages: Outgoing[]; characters: number; sent: Promise<void> } | undefined;
  return (messages) => {
    const characters = messages.reduce((sum, { value }) => sum + (value?.length ?? 0), 0);
    if (!next || next.characters + characters > MOST_CHARACTERS) {
      const batch: Outgoing[] = [];
      const sent = last.then(() => {
        if (next?.messages === batch) next = undefined;
        return send(batch);
      });
      last = sent.catch(() => undefined);
      next = { messages: batch, characters: 0, sent };
    }
    next.messages.push(...messages);
    next.characters += characters;
    return next.sent;
  };
}
