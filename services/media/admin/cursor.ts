import { cursorOf } from '@arboleda/chassis/http/cursor.ts';
import { id, instant } from '@arboleda/contracts/fields.ts';
import { z } from 'zod';

const position = z.tuple([instant, id]);

/** Where a page ended: the last photo's uploadedAt and _id. Opaque to callers. */
export type Position = z.infer<typeof position>;

export const { encode: encodeCursor, decode: decodeCursor } = cursorOf(position);
