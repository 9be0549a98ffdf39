import { MAX_TREES } from '@arboleda/contracts/packages.ts';
import { z } from 'zod/mini';
import type { Language } from '../../i18n/languages.ts';
import { readAmount, readDegrees } from '../../i18n/typed-numbers.ts';
import { type EditField, treesOf } from './edit.ts';

// The content security policy forbids code made of text, by which it would be a little faster.
z.config({ jitless: true });

/** Why a field is refused, as keys of the texts. */
export type EditFault =
  'trees' | 'treesMany' | 'amount' | 'ambiguous' | 'email' | 'name' | 'latitude' | 'longitude' | 'together';

const text = (fault: EditFault, holds: (value: string) => boolean) =>
  z.string().check(z.refine(holds, fault));

const isDegree = (limit: number) => (value: string) =>
  value.trim() === '' || Math.abs(readDegrees(value) ?? Infinity) <= limit;

const email = z.email();

/** The fields as they are typed on a page in this language; `editOf` reads them. */
export const editSchema = (language: Language) =>
  z
    .object({
      trees: z.string().check(
        z.refine((value) => treesOf(value) >= 1, 'trees' satisfies EditFault),
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
    );
