import { cursorOf } from '@arboleda/chassis/http/cursor.ts';
import { z } from 'zod';

/** Cursor: time when the last email of the page was queued, to the microsecond, and its id. */
const position = z.tuple([
  z
    .string()
    .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
    .refine((at) => !Number.isNaN(Date.parse(at))),
  z.string().regex(/^[\w-]{1,64}$/),
]);

export const { encode: encodeCursor, decode: decodeCursor } = cursorOf(position);
