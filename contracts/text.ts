import { z } from 'zod';
import { withoutInvisible } from './invisible.ts';

const VISIBLE = /[^\p{Z}\p{C}\p{Default_Ignorable_Code_Point}\u2800]/u;

// Ranges, as not every reader of our OpenAPI document knows the names of Unicode's classes.
/* eslint-disable no-control-regex -- control characters are what is refused */
const NO_CONTROLS = /^[^\u0000-\u001f\u007f-\u009f]*$/;
const NO_CONTROLS_BUT_BREAKS = /^(?:[^\u0000-\u001f\u007f-\u009f]|[\t\n\r])*$/;
/* eslint-enable no-control-regex */

/** Halves of characters cannot be stored. */
const isWhole = (text: string): boolean => text.isWellFormed();

/** Any writing in one line; what nobody sees is left out. */
export const oneLine = (maxLength: number) =>
  z.string().overwrite(withoutInvisible).trim().max(maxLength).regex(NO_CONTROLS).refine(isWhole);

/** What people write of a decision, a place or a day's work; line breaks are theirs to use. */
export const freeText = (maxLength: number) =>
  z.string().overwrite(withoutInvisible).trim().max(maxLength).regex(NO_CONTROLS_BUT_BREAKS).refine(isWhole);

/** What a person is called: something that can be seen. */
export const personName = oneLine(120)
  .min(1)
  .refine((name) => VISIBLE.test(name));

/** As people write it: any digits, brackets and words, every kind of space and hyphen as the plain one; no markup. */
export const phone = z
  .string()
  .overwrite((text) =>
    withoutInvisible(text)
      .replace(/\p{Zs}/gu, ' ')
      .replace(/[\p{Pd}−]/gu, '-'),
  )
  .trim()
  .max(40)
  .regex(NO_CONTROLS)
  .regex(/^[^<>{}"\\=&]*$/)
  .refine(isWhole);
