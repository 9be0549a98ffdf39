import type { Collection, CollectionDefinition, Document, Documents } from '../../../ports/documents.ts';
import type { Mongo } from '../client.ts';
import { openCollection } from './collection.ts';
import { createIndexes } from './indexes.ts';
import { openOutbox, type OutboxParts } from './outbox.ts';
import type { StoredDocument } from './stored.ts';

export interface MongoDocumentsParts extends Omit<OutboxParts, 'db'> {
  mongo: Pick<Mongo, 'database'>;
  service: string;
  clock?: () => Date;
}

/**
 * Documents of one service in its database. @param parts its connection is the caller's to end.
 * @throws what the driver throws when MongoDB does not answer.
 */
export async function openMongoDocuments(parts: MongoDocumentsParts): Promise<Documents> {
  const db = parts.mongo.database(parts.service);
  const check = async () => void (await db.command({ ping: 1 }));
  await check();
  const outbox = openOutbox({ ...parts, db });
  return {
    engine: 'mongodb',
    async collection<T extends Document>(definition: CollectionDefinition): Promise<Collection<T>> {
      const collection = db.collection<StoredDocument>(collectionName(definition.name));
      await createIndexes(collection, definition);
      return openCollection<T>({
        collection,
        definition,
        outbox,
        clock: parts.clock ?? (() => new Date()),
      });
    },
    outboxAgeMs: outbox.ageMs,
    check,
    close: () => outbox.close(),
  };
}

/** Names that begin with _ are the chassis's own. */
function collectionName(name: string): string {
  if (!/^[a-z][a-z0-9_]{0,50}$/.test(name)) throw new Error(`"${name}" cannot name a collection`);
  return name;
}
