import { BSON, type Collection, type Db } from 'mongodb';
import { checkEnding, type Counts, endingOf, toEnding } from './format.ts';

/** A line of the dump: a collection with its indexes, a document of the last collection, or the final counts. */
type Line = { collection: string; indexes: Index[] } | { document: object } | { end: Counts };
interface Index {
  key: Record<string, 1 | -1>;
  name: string;
  [option: string]: unknown;
}

const BATCH = 200;

/**
 * Dumps documents in the order of their ids, so that equal databases give equal dumps. Each document is consistent
 * in itself.
 * @throws when the server returned fewer documents than it holds
 */
export async function* dumpDocuments(db: Db): AsyncGenerator<string> {
  const names = (await db.listCollections({}, { nameOnly: true }).toArray())
    .map(({ name }) => name)
    .filter((name) => !name.startsWith('system.'));
  const counts: Counts = {};
  for (const name of names.sort()) {
    const collection = db.collection(name);
    const indexes = (await collection.indexes())
      .filter((index) => index.name !== '_id_')
      // Version and namespace depend on the server.
      .map(({ v: _version, ns: _namespace, ...index }) => index as Index)
      .sort((a, b) => a.name.localeCompare(b.name));
    yield BSON.EJSON.stringify({ collection: name, indexes } satisfies Line, { relaxed: false });
    const held = await heldBy(collection);
    counts[name] = 0;
    for await (const document of collection.find({}, { sort: { _id: 1 } })) {
      counts[name]++;
      yield BSON.EJSON.stringify({ document } satisfies Line, { relaxed: false });
    }
    const atLeast = Math.min(held, await heldBy(collection));
    if (counts[name] < atLeast)
      throw new Error(`the server holds ${atLeast} documents of ${name} and gave ${counts[name]}`);
  }
  yield toEnding(counts);
}

const heldBy = (collection: Collection) => collection.countDocuments({});

/** Restores into an empty database. @throws when it is not empty, or when the dump is incomplete */
export async function restoreDocuments(db: Db, lines: AsyncIterable<string>): Promise<void> {
  const there = await db.listCollections({}, { nameOnly: true }).toArray();
  if (there.length > 0) throw new Error(`the database ${db.databaseName} is not empty: ${there[0]!.name}`);
  const counts: Counts = {};
  let ending: Counts | undefined;
  let collection = '';
  let waiting: object[] = [];
  const flush = async () => {
    if (waiting.length > 0) await db.collection(collection).insertMany(waiting);
    waiting = [];
  };
  for await (const text of lines) {
    const line = BSON.EJSON.parse(text, { relaxed: false }) as Line;
    if ('document' in line) {
      counts[collection]!++;
      if (waiting.push(line.document) >= BATCH) await flush();
    } else if ('collection' in line) {
      await flush();
      collection = line.collection;
      counts[collection] = 0;
      await db.createCollection(collection);
      for (const { key, ...options } of BSON.EJSON.deserialize(line.indexes) as Index[])
        await db.collection(collection).createIndex(numbers(key), options);
    } else {
      ending = endingOf(JSON.parse(text) as object);
    }
  }
  await flush();
  checkEnding('the documents', ending, counts);
}

/** Extended JSON reads 1 as an Int32. */
const numbers = (key: Index['key']) =>
  Object.fromEntries(Object.entries(key).map(([field, order]) => [field, Number(order) as 1 | -1]));
