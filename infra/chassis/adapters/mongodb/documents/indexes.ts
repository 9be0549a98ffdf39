import type { Collection, IndexDescription } from 'mongodb';
import type { CollectionDefinition, Index } from '../../../ports/documents.ts';
import { storedField } from './query.ts';
import type { StoredDocument } from './stored.ts';

const NAMESPACE_NOT_FOUND = 26;
const INDEX_NOT_FOUND = 27;

/** Serves the sweeper and the outbox's age: documents with something to tell, the oldest first. */
const OUTBOX = { name: 'outbox', key: { 'outbox.at': 1 }, sparse: true } as const;

type NamedIndex = IndexDescription & { name: string };

/**
 * Makes the indexes as they are defined and drops those that no definition knows. A name tells all of its index, so one
 * that changed has another name, and processes that start together can drop only what is old to all of them.
 */
export async function createIndexes(
  collection: Collection<StoredDocument>,
  definition: CollectionDefinition,
): Promise<void> {
  const wanted: NamedIndex[] = [OUTBOX, ...definition.indexes.map(describeIndex)];
  const present = await indexNames(collection);
  const kept = new Set(['_id_', ...wanted.map((index) => index.name)]);
  for (const name of present) {
    if (!kept.has(name)) await collection.dropIndex(name).catch(unless(INDEX_NOT_FOUND));
  }
  for (const { key, ...index } of wanted) {
    if (!present.includes(index.name)) await collection.createIndex(key, index);
  }
}

/** Documents that lack a field of a unique index are not held against each other: it is sparse. */
export function describeIndex(index: Index): NamedIndex {
  if ('list' in index)
    return { name: `${index.name}: list ${index.list}`, key: { [storedField(index.list)]: 1 } };
  const fields = Object.entries(index.fields);
  if (index.unique && fields.length !== 1) throw new Error(`unique index ${index.name} must be on one field`);
  const order = fields.map(([field, direction]) => `${field} ${direction}`).join(', ');
  return {
    name: `${index.name}: ${index.unique ? 'unique ' : ''}${order}`,
    key: Object.fromEntries(
      fields.map(([field, direction]) => [storedField(field), direction === 'asc' ? 1 : -1]),
    ),
    ...(index.unique && { unique: true, sparse: true }),
  };
}

async function indexNames(collection: Collection<StoredDocument>): Promise<string[]> {
  const indexes = await collection.listIndexes().toArray().catch(unless(NAMESPACE_NOT_FOUND));
  return (indexes ?? []).map((index) => String(index.name));
}

const unless = (code: number) => (error: unknown) => {
  if ((error as { code?: unknown }).code !== code) throw error;
};
