import { ORDER_SORTS } from '@arboleda/contracts/endpoints/orders/listing.ts';
import { amountMinor, instant, orderId, trees } from '@arboleda/contracts/fields.ts';
import { fieldProblem } from '@arboleda/contracts/problems.ts';
import { z } from 'zod';
import type { Position, Sort } from './sort.ts';

/** Text that can be asked for: no control characters, no halves of characters. */
const text = z
  .string()
  .max(200)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u);

const POSITIONS = {
  newest: z.tuple([instant, orderId]),
  oldest: z.tuple([instant, orderId]),
  trees: z.tuple([trees, orderId]),
  amount: z.tuple([text, amountMinor, orderId]),
  name: z.tuple([text, orderId]),
  changed: z.tuple([instant, orderId]),
} satisfies Record<Sort, z.ZodType<Position>>;

const sealed = z.tuple([z.enum(ORDER_SORTS), z.array(z.unknown())]);

/** Where a page of a list ended, and how that list is sorted. Opaque to callers. */
export interface Cursor {
  sort: Sort;
  position: Position;
}

export const encodeCursor = ({ sort, position }: Cursor): string =>
  Buffer.from(JSON.stringify([sort, position])).toString('base64url');

/**
 * @param sort what the caller asked for beside it, if anything.
 * @throws Problem `validation-failed` on `cursor` when it is none of ours, or of a list that is sorted otherwise.
 */
export function decodeCursor(cursor: string, sort: Sort | undefined): Cursor {
  const read = sealed.safeParse(parseJson(Buffer.from(cursor, 'base64url').toString()));
  const found = read.data?.[0];
  const position = found && POSITIONS[found].safeParse(read.data![1]).data;
  if (!found || !position || (sort !== undefined && sort !== found)) throw fieldProblem('cursor', 'invalid');
  return { sort: found, position };
}

function parseJson(from: string): unknown {
  try {
    return JSON.parse(from);
  } catch {
    return undefined;
  }
}
