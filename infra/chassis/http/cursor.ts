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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
