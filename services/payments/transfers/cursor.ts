import { cursorOf } from '@arboleda/chassis/http/cursor.ts';
import { id, instant } from '@arboleda/contracts/fields.ts';
import { z } from 'zod';

const position = z.tuple([instant, id]);

/** Where a page of transfers ended: when the last one was sent, and its id. Opaque to callers. */
export type Position = z.infer<typeof position>;

export const { encode: encodeCursor, decode: decodeCursor } = cursorOf(position);
