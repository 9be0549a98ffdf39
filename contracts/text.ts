import { z } from 'zod';
import { withoutInvisible } from './invisible.ts';

/** Controls and lone surrogates are refused by themselves. */
const VISIBLE = /[^\p{Z}\p{Cf}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\u2800]/u;

// Ranges instead of Unicode classes, which some readers of the OpenAPI document do not know.
/* eslint-disable no-control-regex -- control characters are what is refused */
const NO_CONTROLS = /^[^\u0000-\u001f\u007f-\u009f]*$/;
const NO_CONTROLS_BUT_BREAKS = /^(?:[^\u0000-\u001f\u007f-\u009f]|[\t\n\r])*$/;
/* eslint-enable no-control-regex */

/** Lone surrogates cannot be stored. */
const isWhole = (text: string): boolean => text.isWellFormed();

/** Any script on one line, without invisible characters. */
export const oneLine = (maxLength: number) =>
  z.string().overwrite(withoutInvisible).trim().max(maxLength).regex(NO_CONTROLS).refine(isWhole);

/** Longer text such as a reason, a place or a day's notes; may contain line breaks. */
export const freeText = (maxLength: number) =>
  z.string().overwrite(withoutInvisible).trim().max(maxLength).regex(NO_CONTROLS_BUT_BREAKS).refine(isWhole);

const isVisible = (text: string): boolean => VISIBLE.test(text);
const isMissing = { params: { problem: 'required' } };

/** Free text that says something: at least one visible character. */
export const requiredText = (maxLength: number) => freeText(maxLength).min(1).refine(isVisible, isMissing);

/** A name with at least one visible character. */
export const personName = oneLine(120).min(1).refine(isVisible, isMissing);

/** Digits, brackets and words, with spaces and hyphens normalized; no markup. */
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
