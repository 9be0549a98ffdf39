import { fieldProblem } from '@arboleda/contracts/problems.ts';
import type { z } from 'zod';

/** Where a page of a list ended, as callers hand it back: JSON in base64url, opaque to them. */
export interface CursorCodec<Position> {
  encode(at: Position): string;
  /** @throws Problem `validation-failed` on `cursor` when it is none of ours. */
  decode(cursor: string): Position;
}

/** @param position what a place in the list is, and nothing else is taken for one */
export const cursorOf = <Schema extends z.ZodType>(position: Schema): CursorCodec<z.output<Schema>> => ({
  encode: (at) => Buffer.from(JSON.stringify(at)).toString('base64url'),
  decode(cursor) {
    const read = position.safeParse(parseJson(Buffer.from(cursor, 'base64url').toString()));
    if (!read.success) throw fieldProblem('cursor', 'invalid');
    return read.data;
  },
});

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
