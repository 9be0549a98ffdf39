import { fieldProblem } from '@arboleda/contracts/problems.ts';
import { z } from 'zod';

/** A part of a list with its own sort order; a list is a sequence of sections. */
export interface Section<T> {
  name: string;
  /** At most `limit`, after `after`. */
  read(query: { limit: number; after: Place | undefined }): Promise<T[]>;
  placeOf(item: T): Place;
  /** Whether a cursor's key is valid for this section. */
  isKey?(key: string): boolean;
}

/** Sort position of an item: a key and its id. */
export type Place = readonly [key: string, id: string];

export interface PageQuery {
  limit: number;
  cursor?: string | undefined;
}

export interface Page<T> {
  items: T[];
  nextCursor?: string;
}

/** @throws Problem `validation-failed` on `cursor` when it does not belong to this list */
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

/** Small, as most readers need only the first item. */
const FIRST_BATCH = 20;
const BATCH = 200;

/** All results of a query, in batches; concurrent changes are harmless. */
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
