import { fieldProblem } from '@arboleda/contracts/problems.ts';
import type { z } from 'zod';

/** Position after a page of a list, as JSON in base64url. Opaque to callers. */
export interface CursorCodec<Position> {
  encode(at: Position): string;
  /** @throws Problem `validation-failed` on `cursor` when it does not parse */
  decode(cursor: string): Position;
}

/** @param position schema of a position */
export const cursorOf = <Schema extends z.ZodType>(position: Schema): CursorCodec<z.output<Schema>> => ({
  encode: (at) => Buffer.from(JSON.stringify(at)).toString('base64url'),
  decode(cursor) {
    const read = position.safeParse(parseJson(Buffer.from(cursor, 'base64url').toString()));
    if (!read.success) throw fieldProblem('cursor', 'invalid');
    return read.data;
  },
});

/**
 * A page of a list that was read one row further, to know whether there is more.
 * @param cursorOf the cursor after a row
 */
export function pageOf<Row>(
  found: readonly Row[],
  limit: number,
  cursorOf: (last: Row) => string,
): { rows: Row[]; nextCursor?: string } {
  const rows = found.slice(0, limit);
  const last = found.length > limit ? rows.at(-1) : undefined;
  return { rows, ...(last !== undefined && { nextCursor: cursorOf(last) }) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
