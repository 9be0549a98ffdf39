import { fieldProblem } from '@arboleda/contracts/problems.ts';
import { z } from 'zod';

/** A part of a list, in its own order; the list is its sections one after the other. */
export interface Section<T> {
  name: string;
  /** At most `limit`, behind `after`. */
  read(query: { limit: number; after: Place | undefined }): Promise<T[]>;
  placeOf(item: T): Place;
  /** Whether a key can be one of this section. */
  isKey?(key: string): boolean;
}

/** What an item is sorted by: a key and its id. */
export type Place = readonly [key: string, id: string];

export interface PageQuery {
  limit: number;
  cursor?: string | undefined;
}

export interface Page<T> {
  items: T[];
  nextCursor?: string;
}

/** @throws Problem `validation-failed` on `cursor` when it is none of this list. */
export async function readPage<T>(sections: readonly Section<T>[], query: PageQuery): Promise<Page<T>> {
  const { limit, cursor } = query;
  const start = cursor === undefined ? undefined : decodeCursor(cursor);
  const first = start ? sections.findIndex(({ name }) => name === start.section) : 0;
  const begin = sections[first];
  if (!begin || (start && begin.isKey?.(start.place[0]) === false)) throw fieldProblem('cursor', 'invalid');
  const items: T[] = [];
  let last = start;
  for (const section of sections.slice(first)) {
    const after = section === begin ? start?.place : undefined;
    for (const item of await section.read({ limit: limit + 1 - items.length, after })) {
      if (items.length === limit) return { items, nextCursor: encodeCursor(last!) };
      items.push(item);
      last = { section: section.name, place: section.placeOf(item) };
    }
  }
  return { items };
}

interface Position {
  section: string;
  place: Place;
}

const encodeCursor = ({ section, place }: Position): string =>
  Buffer.from(JSON.stringify([section, ...place])).toString('base64url');

const position = z.tuple([z.string(), z.string().max(100), z.string().max(100)]);

function decodeCursor(cursor: string): Position {
  try {
    const [section, ...place] = position.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
    return { section, place };
  } catch {
    throw fieldProblem('cursor', 'invalid');
  }
}

export const isInstant = (key: string): boolean => z.iso.datetime().safeParse(key).success && key > '0001';

/** Mostly there is one or none, and who sees the first may have seen enough. */
const FIRST_BATCH = 20;
const BATCH = 200;

/** All that a question finds, some at a time; what leaves or joins meanwhile does no harm. */
export async function* batchesOf<T>({
  read,
  placeOf,
}: Pick<Section<T>, 'read' | 'placeOf'>): AsyncGenerator<T[]> {
  let after: Place | undefined;
  for (let limit = FIRST_BATCH; ; limit = BATCH) {
    const batch = await read({ limit, after });
    const last = batch.at(-1);
    if (!last) return;
    yield batch;
    if (batch.length < limit) return;
    after = placeOf(last);
  }
}
