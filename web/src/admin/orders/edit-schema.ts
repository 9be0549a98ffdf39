import { placeFault, type PlaceFault } from '@arboleda/contracts/colombia.ts';
import { MAX_TREES } from '@arboleda/contracts/packages.ts';
import { z } from 'zod/mini';
import type { Language } from '../../i18n/languages.ts';
import { readAmount, readCount, readDegrees } from '../../i18n/typed-numbers.ts';
import { degreesOf, type EditField, type EditValues, treesOf } from './edit.ts';

// The content security policy forbids zod's code generation.
z.config({ jitless: true });

/** Field problems, as i18n keys. */
export type EditFault =
  | 'trees'
  | 'treesWhole'
  | 'treesMany'
  | 'amount'
  | 'ambiguous'
  | 'email'
  | 'name'
  | 'latitude'
  | 'longitude'
  | 'together'
  | PlaceFault['why'];

const text = (fault: EditFault, holds: (value: string) => boolean) =>
  z.string().check(z.refine(holds, fault));

/** Typed, and no whole number: it is refused, never cut off. */
const isNoCount = (value: string) => value.trim() !== '' && readCount(value) === undefined;

const isDegree = (limit: number) => (value: string) =>
  value.trim() === '' || Math.abs(readDegrees(value) ?? Infinity) <= limit;

const email = z.email();

type Place = Pick<EditValues, 'latitude' | 'longitude'>;

/** Plausibility problem of a complete place on earth. */
function typedFault({ latitude, longitude }: Place): PlaceFault | undefined {
  if (!latitude.trim() || !longitude.trim() || !isDegree(90)(latitude) || !isDegree(180)(longitude)) return;
  return placeFault({ latitude: degreesOf(latitude)!, longitude: degreesOf(longitude)! });
}

/**
 * Schema of the fields as typed in this language; `editOf` parses them.
 * @param kept the order's current place, which is always accepted
 */
export const editSchema = (language: Language, kept: Place) =>
  z
    .object({
      trees: z.string().check(
        z.refine((value) => !isNoCount(value), 'treesWhole' satisfies EditFault),
        z.refine((value) => isNoCount(value) || treesOf(value) >= 1, 'trees' satisfies EditFault),
        z.refine((value) => treesOf(value) <= MAX_TREES, 'treesMany' satisfies EditFault),
      ),
      amount: z.string(),
      currency: z.string(),
      customerEmail: text('email', (value) => email.safeParse(value.trim()).success),
      customerName: text('name', (value) => value.trim() !== ''),
      location: z.string(),
      latitude: text('latitude', isDegree(90)),
      longitude: text('longitude', isDegree(180)),
      notes: z.string(),
    })
    .check(
      z.refine(({ amount, currency }) => readAmount(amount, currency, language) !== undefined, {
        error: 'amount' satisfies EditFault,
        path: ['amount' satisfies EditField],
      }),
      z.refine(({ amount, currency }) => readAmount(amount, currency, language) !== 'ambiguous', {
        error: 'ambiguous' satisfies EditFault,
        path: ['amount' satisfies EditField],
      }),
      z.refine(({ latitude, longitude }) => (latitude.trim() === '') === (longitude.trim() === ''), {
        error: 'together' satisfies EditFault,
        path: ['longitude' satisfies EditField],
      }),
      ({ value, issues }) => {
        if (value.latitude === kept.latitude && value.longitude === kept.longitude) return;
        const fault = typedFault(value);
        if (fault) issues.push({ code: 'custom', message: fault.why, path: [fault.field], input: value });
      },
    );
