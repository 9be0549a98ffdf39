import { join } from 'node:path';
import type { Tables, TableName } from '../records.ts';
import { Journal, readJournal } from './journal.ts';
import { worthKeeping } from './retention.ts';

export type Change = { [K in TableName]: [table: K, object: Tables[K]] }[TableName];

/** What a request reads and writes. Objects are never changed in place: a change is a new object under the same id. */
export interface Transaction {
  get<K extends TableName>(table: K, id: string): Tables[K] | undefined;
  put<K extends TableName>(table: K, object: Tables[K]): Tables[K];
  /** Newest first. */
  all<K extends TableName>(table: K): Tables[K][];
}

type State = Map<TableName, Map<string, Tables[TableName]>>;

export interface Store extends Transaction {
  /**
   * Runs a decision on the state and resolves when its changes are on the disk.
   * The decision is synchronous, so two never interleave; if it throws, nothing has changed.
   */
  transact<T>(decide: (tx: Transaction) => T): Promise<T>;
  /** Called with what each transaction changed, once it is on the disk. */
  onCommit(listener: (changes: Change[]) => void): void;
  close(): Promise<void>;
}

/** Opens the state kept in a folder: in memory for reading, in a journal for keeping. */
export async function openStore(dataDir: string, nowMs: () => number): Promise<Store> {
  const path = join(dataDir, 'journal.jsonl');
  const state: State = new Map();
  for await (const changes of readJournal(path)) {
    for (const [table, object] of changes as Change[]) tableOf(state, table).set(object.id, object);
  }
  const journal = new Journal({
    path,
    *snapshot() {
      for (const [name, table] of state) {
        for (const object of worthKeeping(name, [...table.values()], nowMs())) {
          yield JSON.stringify([[name, object]]);
        }
      }
    },
  });
  await journal.open();
  const listeners: Array<(changes: Change[]) => void> = [];

  return {
    ...reader(state),
    put() {
      throw new Error('Write in a transaction.');
    },
    async transact(decide) {
      const tx = begin(state);
      const result = decide(tx);
      const changes = tx.changes();
      for (const [table, object] of changes) tableOf(state, table).set(object.id, object);
      if (changes.length === 0) await journal.settled();
      else await journal.append(JSON.stringify(changes));
      for (const listener of listeners) listener(changes);
      return result;
    },
    onCommit: (listener) => void listeners.push(listener),
    close: () => journal.close(),
  };
}

function tableOf<K extends TableName>(state: State, name: K): Map<string, Tables[K]> {
  if (!state.has(name)) state.set(name, new Map());
  return state.get(name) as unknown as Map<string, Tables[K]>;
}

const reader = (state: State): Pick<Transaction, 'get' | 'all'> => ({
  get: (table, id) => tableOf(state, table).get(id),
  all: (table) => [...tableOf(state, table).values()].reverse(),
});

function begin(state: State): Transaction & { changes(): Change[] } {
  const changed = new Map<string, Change>();
  const base = reader(state);
  return {
    get<K extends TableName>(table: K, id: string) {
      return (changed.get(`${table} ${id}`)?.[1] as Tables[K] | undefined) ?? base.get(table, id);
    },
    put<K extends TableName>(table: K, object: Tables[K]) {
      changed.set(`${table} ${object.id}`, [table, object] as unknown as Change);
      return object;
    },
    all<K extends TableName>(table: K) {
      const own = [...changed.values()]
        .filter(([name]) => name === table)
        .map(([, object]) => object as Tables[K]);
      const ids = new Set(own.map((object) => object.id));
      return [...own.reverse(), ...base.all(table).filter((object) => !ids.has(object.id))];
    },
    changes: () => [...changed.values()],
  };
}
