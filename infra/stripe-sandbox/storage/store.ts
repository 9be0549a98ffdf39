import { join } from 'node:path';
import type { Tables, TableName } from '../records.ts';
import { Journal, readJournal } from './journal.ts';
import { worthKeeping } from './retention.ts';

export type Change = { [K in TableName]: [table: K, object: Tables[K]] }[TableName];

/** Reads and writes of one request. Objects are immutable: a change stores a new object under the same id. */
export interface Transaction {
  get<K extends TableName>(table: K, id: string): Tables[K] | undefined;
  put<K extends TableName>(table: K, object: Tables[K]): Tables[K];
  /** Newest first. */
  all<K extends TableName>(table: K): Tables[K][];
}

type State = { [K in TableName]: Map<string, Tables[K]> };

export interface Store extends Transaction {
  /**
   * Runs a decision on the state and resolves when its changes are durable. The decision is synchronous, so two
   * never interleave; if it throws, nothing changes.
   */
  transact<T>(decide: (tx: Transaction) => T): Promise<T>;
  /** Called with the changes of each transaction once they are durable. */
  onCommit(listener: (changes: Change[]) => void): void;
  close(): Promise<void>;
}

/** Opens the state in a folder: in memory for reads, in a journal for durability. */
export async function openStore(dataDir: string, nowMs: () => number): Promise<Store> {
  const path = join(dataDir, 'journal.jsonl');
  const state = emptyState();
  for await (const changes of readJournal(path)) {
    for (const change of changes as Change[]) apply(state, change);
  }
  const journal = new Journal({
    path,
    *snapshot() {
      for (const name of TABLE_NAMES) {
        for (const object of worthKeeping(name, [...state[name].values()], nowMs())) {
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
      for (const change of changes) apply(state, change);
      if (changes.length === 0) await journal.settled();
      else await journal.append(JSON.stringify(changes));
      for (const listener of listeners) listener(changes);
      return result;
    },
    onCommit: (listener) => void listeners.push(listener),
    close: () => journal.close(),
  };
}

const emptyState = (): State => ({
  payment_intents: new Map(),
  payment_methods: new Map(),
  charges: new Map(),
  balance_transactions: new Map(),
  refunds: new Map(),
  disputes: new Map(),
  products: new Map(),
  prices: new Map(),
  sessions: new Map(),
  confirmation_tokens: new Map(),
  events: new Map(),
  deliveries: new Map(),
  idempotency: new Map(),
  card_behaviours: new Map(),
  token_methods: new Map(),
  session_details: new Map(),
  intent_sessions: new Map(),
  settings: new Map(),
});
const TABLE_NAMES = Object.keys(emptyState()) as TableName[];

const apply = <K extends TableName>(state: State, [table, object]: [K, Tables[K]]): void =>
  void state[table].set(object.id, object);

const reader = (state: State): Pick<Transaction, 'get' | 'all'> => ({
  get: (table, id) => state[table].get(id),
  all: (table) => [...state[table].values()].reverse(),
});

function begin(state: State): Transaction & { changes(): Change[] } {
  const changed = new Map<string, Change>();
  const base = reader(state);
  return {
    get<K extends TableName>(table: K, id: string) {
      return (changed.get(`${table} ${id}`)?.[1] as Tables[K] | undefined) ?? base.get(table, id);
    },
    put<K extends TableName>(table: K, object: Tables[K]) {
      changed.set(`${table} ${object.id}`, [table, object] as Change);
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
