import { randomUUID } from 'node:crypto';
import type { OutboxEntry } from '../../../outbox/entry.ts';
import type { Document } from '../../../ports/documents.ts';

/** Something a document has to tell. As text, as only what is exactly equal can be taken out of a list. */
export interface Told {
  at: Date;
  id: string;
  /** JSON of an OutboxEntry. */
  entry: string;
}

/** How a document lies in MongoDB: all that one decision changes is one document, as one write is all or nothing. */
export interface StoredDocument<T extends Document = Document> {
  _id: string;
  /** Rises with each change; settling the outbox leaves it as it is. */
  version: number;
  doc: T;
  /** The last events that were taken in. */
  consumed?: string[];
  /** In the order it was decided. */
  outbox?: Told[];
  /** A sweeper is at it. */
  leasedUntil?: Date;
}

export const toTold = (entries: readonly OutboxEntry[]): Told[] => {
  const at = new Date();
  return entries.map((entry) => ({ at, id: randomUUID(), entry: JSON.stringify(entry) }));
};

export const readEntry = (told: Told) => JSON.parse(told.entry) as OutboxEntry;
