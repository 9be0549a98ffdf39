import {
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
import { memoryRecords, type Watch } from './records.ts';
import type { Process } from './world.ts';

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
  const unique = indexes.flatMap((index) => ('unique' in index && index.unique ? [index] : []));
  const matching = (where: Where = {}): T[] => {
    const conditions = Object.entries(where).map(
      ([field, condition]) => [field.split('.'), condition] as const,
    );
    const found: T[] = [];
    for (const document of records.all()) {
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
      for (const other of records.all()) {
        if (other._id !== document._id && read(other, path) === value) throw new UniqueViolation(index);
      }
    }
  };
  const records = memoryRecords<T>(name, { process, fault, watch, refuse: keepUnique });
  const sums = (documents: readonly T[], field: string) => {
    const path = field.split('.');
    return documents.reduce((total, document) => total + Number(read(document, path) ?? 0), 0);
  };

  return {
    ...records,
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
