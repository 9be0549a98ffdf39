import type { Collection, Query } from '@arboleda/chassis/ports/documents.ts';
import { fieldProblem } from '@arboleda/contracts/problems.ts';
import { z } from 'zod';

/** A part of a list, in its own order; the list is its sections one after the other. */
export interface Section<T> {
  name: string;
  /** At most `limit`, behind `after`. */
  read(query: { limit: number; after?: readonly string[] }): Promise<T[]>;
  /** What an item is sorted by: a string and its id. */
  placeOf(item: T): readonly [string, string];
}

export interface PageQuery<T> {
  limit: number;
  cursor?: string | undefined;
  /** What else an item must be; those that are not are read and left out. */
  keep?: ((item: T) => boolean) | undefined;
}

export interface Page<T> {
  items: T[];
  nextCursor?: string;
}

/** What one page of a search reads before it lets the caller ask on. */
const MAX_READ = 1_000;
const READ_AHEAD = 200;

type Place = readonly [section: string, key: string, id: string];

/** @throws Problem `validation-failed` on `cursor` when it is none of this list. */
export async function readPage<T>(sections: readonly Section<T>[], query: PageQuery<T>): Promise<Page<T>> {
  const { limit, keep } = query;
  const start = query.cursor === undefined ? undefined : decodeCursor(query.cursor);
  const first = start ? sections.findIndex(({ name }) => name === start[0]) : 0;
  if (first < 0) throw fieldProblem('cursor', 'invalid');
  let after: readonly string[] | undefined = start?.slice(1);
  let last = start;
  let read = 0;
  const items: T[] = [];
  const upTo = (place: Place | undefined): Page<T> => ({
    items,
    ...(place && { nextCursor: encodeCursor(place) }),
  });
  for (const section of sections.slice(first)) {
    for (;;) {
      const wanted = keep ? READ_AHEAD : limit + 1 - items.length;
      const found = await section.read({ limit: wanted, ...(after && { after }) });
      for (const item of found) {
        if (items.length === limit || read === MAX_READ) return upTo(last);
        read++;
        last = [section.name, ...section.placeOf(item)];
        if (!keep || keep(item)) items.push(item);
      }
      if (found.length < wanted) break;
      after = section.placeOf(found.at(-1)!);
    }
    after = undefined;
  }
  return { items };
}

const encodeCursor = (place: Place): string => Buffer.from(JSON.stringify(place)).toString('base64url');

const place = z.tuple([z.string(), z.string().max(100), z.string().max(100)]);

function decodeCursor(cursor: string): Place {
  try {
    return place.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
  } catch {
    throw fieldProblem('cursor', 'invalid');
  }
}

/** Mostly there is one or none, and who sees the first may have seen enough. */
const FIRST_BATCH = 20;
const BATCH = 200;

/** All that a query finds, some at a time; what leaves or joins meanwhile does no harm. */
export async function* batchesOf<T extends { _id: string }>(
  collection: Pick<Collection<T>, 'find'>,
  where: NonNullable<Query['where']>,
  [field, read]: readonly [field: string, read: (item: T) => string | undefined],
): AsyncGenerator<T[]> {
  const sort = [
    { field, direction: 'asc' },
    { field: '_id', direction: 'asc' },
  ] as const;
  let after: readonly [string, string] | undefined;
  for (let limit = FIRST_BATCH; ; limit = BATCH) {
    const batch = await collection.find({ where, sort, limit, ...(after && { after }) });
    const last = batch.at(-1);
    if (!last) return;
    yield batch;
    if (batch.length < limit) return;
    after = [read(last) ?? '', last._id];
  }
}
