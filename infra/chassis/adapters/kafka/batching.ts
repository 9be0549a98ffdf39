type Send<Message> = (messages: readonly Message[]) => Promise<void>;

/** Brokers reject batches over a megabyte, overhead included. */
const MAX_BATCH_CHARACTERS = 400_000;

/**
 * Sends one batch at a time: with concurrent batches, kafkajs may reuse the sequence number of a failed one, and
 * Kafka drops the next as a duplicate. Messages that arrive meanwhile form the next batch.
 */
export function sendInBatches<Message extends { value: string | null }>(send: Send<Message>): Send<Message> {
  let last: Promise<unknown> = Promise.resolve();
  let next: { messages: Message[]; characters: number; sent: Promise<void> } | undefined;
  return (messages) => {
    const characters = messages.reduce((sum, { value }) => sum + (value?.length ?? 0), 0);
    if (!next || next.characters + characters > MAX_BATCH_CHARACTERS) {
      const batch: Message[] = [];
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
