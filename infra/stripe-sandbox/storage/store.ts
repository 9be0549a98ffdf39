import { join } from 'node:path';
import type { Tables, TableName } from '../objects.ts';
import { openJournal, readJournal } from './journal.ts';

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
  const journal = await openJournal(path, linesOf(state, nowMs()));
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
      const committed = () => {
        for (const listener of listeners) listener(changes);
      };
      if (changes.length === 0) await journal.settled().then(committed);
      else await journal.append(JSON.stringify(changes), committed);
      return result;
    },
    onCommit: (listener) => void listeners.push(listener),
    close: () => journal.close(),
  };
}

/** The first lines of a journal: all objects worth keeping. */
function* linesOf(state: State, nowMs: number): Generator<string> {
  for (const name of TABLE_NAMES) {
    for (const object of worthKeeping(name, [...state[name].values()], nowMs)) {
      yield JSON.stringify([[name, object]]);
    }
  }
}

const emptyState = (): State => ({
  payment_intents: new Map(),
  payment_methods: new Map(),
  charges: new Map(),
  balance_transactions: new Map(),
  refunds: new Map(),
  disputes: new Map(),
  sessions: new Map(),
  events: new Map(),
  deliveries: new Map(),
  idempotency: new Map(),
  card_numbers: new Map(),
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

const DAY_S = 24 * 60 * 60;
/** Stripe keeps idempotency keys for at least 24 hours and events for 30 days. */
const IDEMPOTENCY_AGE_S = DAY_S;
const EVENT_AGE_S = 30 * DAY_S;
/** Bounds the disk under heavy use: about 60 MB of events. */
const MOST_EVENTS = 20_000;
const MOST_ANSWERS = 20_000;

type Keepers = { [K in TableName]?: (objects: Tables[K][], nowS: number) => Tables[K][] };

const KEPT: Keepers = {
  idempotency: (answers, nowS) =>
    answers.filter(({ created }) => nowS - created < IDEMPOTENCY_AGE_S).slice(-MOST_ANSWERS),
  events: (events, nowS) =>
    events.filter(
      (event, index) =>
        event.pending_webhooks > 0 ||
        (nowS - event.created < EVENT_AGE_S && events.length - index <= MOST_EVENTS),
    ),
  deliveries: (deliveries) =>
    deliveries.filter(
      ({ state }, index) =>
        state === 'pending' || state === 'held' || deliveries.length - index <= MOST_EVENTS,
    ),
};

/** The rows of a table (oldest first) that compaction keeps. Undelivered webhooks are always kept. */
export function worthKeeping<K extends TableName>(
  table: K,
  objects: Tables[K][],
  nowMs: number,
): Tables[K][] {
  const keep = KEPT[table];
  return keep ? keep(objects, nowMs / 1000) : objects;
}
