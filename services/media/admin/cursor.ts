import { id, instant } from '@arboleda/contracts/fields.ts';
import { fieldProblem } from '@arboleda/contracts/problems.ts';
import { z } from 'zod';

const position = z.tuple([instant, id]);

/** Where a page ended: the last photo's uploadedAt and _id. Opaque to callers. */
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
