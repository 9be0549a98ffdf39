import {
  type Change,
  type Collection,
  type CollectionDefinition,
  type Condition,
  type Document,
  type Documents,
  type Query,
  UniqueViolation,
  type Where,
} from '@arboleda/chassis/ports/documents.ts';
import type { Fault } from './faults.ts';
import type { Process } from './world.ts';

interface Kept<T> {
  document: T;
  version: number;
  /** Ids of events that were applied. */
  consumed: ReadonlySet<string>;
}

/** Called after each write, with the document before and after it. */
export type Watch = (collection: string, before: Document | undefined, after: Document) => void;

/**
 * The document store of one service in memory. As in the real adapters, the document, its events and jobs, and the id of the consumed
 * event are one write.
 */
export function memoryDocuments(process: Process, fault: Fault | undefined, watch: Watch): Documents {
  return {
    collection: async <T extends Document>(definition: CollectionDefinition) =>
      memoryCollection<T>(definition, process, fault, watch),
    outboxAgeMs: async () => 0,
    close: async () => {},
    check: async () => {},
  } as Documents;
}

function memoryCollection<T extends Document>(
  { name, indexes }: CollectionDefinition,
  process: Process,
  fault: Fault | undefined,
  watch: Watch,
): Collection<T> {
  const kept = new Map<string, Kept<T>>();
  const unique = indexes.flatMap((index) => ('unique' in index && index.unique ? [index] : []));
  const matching = (where: Where = {}): T[] => {
    const conditions = Object.entries(where).map(
      ([field, condition]) => [field.split('.'), condition] as const,
    );
    const found: T[] = [];
    for (const { document } of kept.values()) {
      if (conditions.every(([path, condition]) => holds(read(document, path), condition)))
        found.push(document);
    }
    return found;
  };
  const keepUnique = (document: T) => {
    for (const { name: index, fields } of unique) {
      const path = Object.keys(fields)[0]!.split('.');
      const value = read(document, path);
      if (value === undefined) continue;
      for (const other of kept.values()) {
        if (other.document._id !== document._id && read(other.document, path) === value)
          throw new UniqueViolation(index);
      }
    }
  };
  const sums = (documents: readonly T[], field: string) => {
    const path = field.split('.');
    return documents.reduce((total, document) => total + Number(read(document, path) ?? 0), 0);
  };

  return {
    async get(id) {
      process.touch();
      return kept.get(id)?.document;
    },
    async find(query) {
      process.touch();
      return sorted(matching(query.where), query);
    },
    async count(where) {
      return matching(where).length;
    },
    async countBy(field, where) {
      const groups = Object.groupBy(matching(where), (document) => String(read(document, field.split('.'))));
      return Object.fromEntries(Object.entries(groups).map(([key, group]) => [key, group!.length]));
    },
    async sum(field, where) {
      process.touch();
      return sums(matching(where), field);
    },
    async figuresBy(by, summed, where) {
      process.touch();
      const path = by.split('.');
      const groups = Map.groupBy(matching(where), (document) => read(document, path));
      groups.delete(undefined);
      return Object.fromEntries(
        [...groups].map(([key, group]) => [
          String(key),
          {
            count: group.length,
            sums: Object.fromEntries(summed.map((field) => [field, sums(group, field)])) as never,
          },
        ]),
      );
    },
    async change(id, decide, { eventId } = {}) {
      process.touch();
      const others = process.meanwhile();
      if (others) await others;
      const before = kept.get(id);
      if (eventId !== undefined && before?.consumed.has(eventId)) return before.document;
      const current = fault?.sees ? (fault.sees(name, before?.document) as T | undefined) : before?.document;
      const consumed = eventId === undefined ? before?.consumed : new Set(before?.consumed).add(eventId);
      let change = decide(current);
      if (!change) {
        if (before && consumed) kept.set(id, { ...before, consumed });
        return before?.document;
      }
      if (fault?.writes) change = fault.writes(name, before?.document, change) as Change<T>;
      const { document, events = [], jobs = [] } = change;
      if (document._id !== id) throw new Error(`document ${document._id} was decided on as ${id}`);
      keepUnique(document);
      const version = (before?.version ?? 0) + 1;
      kept.set(id, { document, version, consumed: consumed ?? new Set() });
      process.commit(events, jobs, version);
      watch(name, before?.document, document);
      process.mayCrash();
      return document;
    },
  };
}

type Value = string | number | boolean | readonly string[] | undefined;

function read(document: object, path: readonly string[]): Value {
  let value: unknown = document;
  for (const field of path) value = (value as Record<string, unknown> | undefined)?.[field];
  return (value ?? undefined) as Value;
}

function holds(value: Value, condition: Condition): boolean {
  if (typeof condition !== 'object') return value === condition;
  const { in: among, gte, gt, lte, lt, exists, all } = condition;
  if (exists !== undefined && (value !== undefined) !== exists) return false;
  if (among && !among.includes(value as string)) return false;
  if (all && !all.every((one) => (value as readonly string[] | undefined)?.includes(one))) return false;
  const known = value as string;
  if (gte !== undefined && !(value !== undefined && known >= (gte as string))) return false;
  if (gt !== undefined && !(value !== undefined && known > (gt as string))) return false;
  if (lte !== undefined && !(value !== undefined && known <= (lte as string))) return false;
  return lt === undefined || (value !== undefined && known < (lt as string));
}

/** Values without a field come first, as the port says. */
const compare = (a: Value, b: Value): number => {
  if (a === b) return 0;
  if (a === undefined || b === undefined) return a === undefined ? -1 : 1;
  return a < b ? -1 : 1;
};

function sorted<T extends Document>(found: T[], { sort = [], after, limit }: Query): T[] {
  const fields = sort.map(({ field, direction }) => ({
    path: field.split('.'),
    sign: direction === 'asc' ? 1 : -1,
  }));
  const order = (a: readonly Value[], b: readonly Value[]) => {
    for (const [at, { sign }] of fields.entries()) {
      const compared = compare(a[at], b[at]);
      if (compared !== 0) return sign * compared;
    }
    return 0;
  };
  const placeOf = (document: T) => fields.map(({ path }) => read(document, path));
  const listed = found.map((document) => ({ document, place: placeOf(document) }));
  const behind = after ? listed.filter(({ place }) => order(place, after) > 0) : listed;
  if (fields.length > 0) behind.sort((a, b) => order(a.place, b.place));
  return behind.slice(0, limit).map(({ document }) => document);
}
