import { fieldProblem } from '@arboleda/contracts/problems.ts';
import { z } from 'zod';

/** Where a page of the list ended: when the last mail was queued, to the microsecond, and its id. */
const position = z.tuple([
  z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/).refine((at) => !Number.isNaN(Date.parse(at))),
  z.string().regex(/^[\w-]{1,64}$/),
]); // prettier-ignore
export type Position = z.infer<typeof position>;

export const encodeCursor = (at: Position): string => Buffer.from(JSON.stringify(at)).toString('base64url');

/** @throws Problem `validation-failed` on `cursor` when it is none of ours. */
export function decodeCursor(cursor: string): Position {
  const read = position.safeParse(parseJson(Buffer.from(cursor, 'base64url').toString()));
  if (!read.success) throw fieldProblem('cursor', 'invalid');
  return read.data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
