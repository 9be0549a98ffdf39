import { BSON, type Db } from 'mongodb';

/** One line: a collection with its indexes, or a document of the collection named last. */
type Line = { collection: string; indexes: Index[] } | { document: object };
interface Index {
  key: Record<string, 1 | -1>;
  name: string;
  [option: string]: unknown;
}

const BATCH = 200;

/** Each document is consistent in itself, and written in an order of their own: the same documents are the same lines. */
export async function* dumpDocuments(db: Db): AsyncGenerator<string> {
  const names = (await db.listCollections({}, { nameOnly: true }).toArray())
    .map(({ name }) => name)
    .filter((name) => !name.startsWith('system.'));
  for (const name of names.sort()) {
    const collection = db.collection(name);
    const indexes = (await collection.indexes())
      .filter((index) => index.name !== '_id_')
      // By which version of its format a server keeps it, and where, is its own affair.
      .map(({ v: _version, ns: _namespace, ...index }) => index as Index)
      .sort((a, b) => a.name.localeCompare(b.name));
    yield toLine({ collection: name, indexes });
    for await (const document of collection.find({}, { sort: { _id: 1 } })) yield toLine({ document });
  }
}

const toLine = (line: Line): string => BSON.EJSON.stringify(line, { relaxed: false });

/** Into a database in which nothing is. @throws when something is there */
export async function restoreDocuments(db: Db, lines: AsyncIterable<string>): Promise<void> {
  const there = await db.listCollections({}, { nameOnly: true }).toArray();
  if (there.length > 0) throw new Error(`the database ${db.databaseName} is not empty: ${there[0]!.name}`);
  let collection: string | undefined;
  let waiting: object[] = [];
  const flush = async () => {
    if (waiting.length > 0) await db.collection(collection!).insertMany(waiting);
    waiting = [];
  };
  for await (const text of lines) {
    const line = BSON.EJSON.parse(text, { relaxed: false }) as Line;
    if ('document' in line) {
      if (waiting.push(line.document) >= BATCH) await flush();
      continue;
    }
    await flush();
    collection = line.collection;
    await db.createCollection(collection);
    for (const { key, ...options } of BSON.EJSON.deserialize(line.indexes as never) as unknown as Index[])
      await db.collection(collection).createIndex(numbers(key), options);
  }
  await flush();
}

/** Extended JSON keeps 1 as an Int32. */
const numbers = (key: Index['key']) =>
  Object.fromEntries(Object.entries(key).map(([field, order]) => [field, Number(order) as 1 | -1]));
