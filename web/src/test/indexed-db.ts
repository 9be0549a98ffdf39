/** Gives jsdom an IndexedDB and structuredClone. */
import * as fake from 'fake-indexeddb';
import { deserialize, serialize } from 'node:v8';

if (!('structuredClone' in globalThis)) {
  Object.assign(globalThis, { structuredClone: (value: unknown): unknown => deserialize(serialize(value)) });
}

/** Empties the database, as on a new phone. */
export function emptyIndexedDB(): void {
  const { default: _same, ...parts } = fake;
  Object.assign(globalThis, parts, { indexedDB: new fake.IDBFactory() });
}

emptyIndexedDB();
