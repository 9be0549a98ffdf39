import { minorPerMajor } from '@arboleda/contracts/money.ts';
import type { RequestBody } from '../../api/client.ts';
import type { Language } from '../../i18n/languages.ts';
import { readAmount, readCount, readDegrees } from '../../i18n/typed-numbers.ts';
import type { OrderDetails } from './orders.ts';

/** Currencies of the edit form: product spec section 5. */
export const EDIT_CURRENCIES = ['USD', 'EUR', 'GBP', 'CAD', 'AUD', 'COP', 'MXN', 'BRL'] as const;

export const EDIT_FIELDS = [
  'trees',
  'amount',
  'currency',
  'customerEmail',
  'customerName',
  'location',
  'latitude',
  'longitude',
  'notes',
] as const;
export type EditField = (typeof EDIT_FIELDS)[number];

export type EditValues = Record<EditField, string>;

/** Version and values the admin's edit is based on. */
export interface EditBase {
  version: number;
  values: EditValues;
}

type Body = NonNullable<RequestBody<'PUT /api/admin/orders/{id}'>>;

/** Major units as people of this language type them: "82300.00", "82300,00". */
const majorOf = (amountMinor: number, currency: string, language: Language): string => {
  if (minorPerMajor(currency) === 1) return String(amountMinor);
  const text = (amountMinor / 100).toFixed(2);
  return language === 'es' ? text.replace('.', ',') : text;
};

/** Product spec section 5: parsed as an integer, 0 when invalid. */
export const treesOf = (typed: string): number => readCount(typed) ?? 0;

/** Required by the product spec; about 11 cm. */
export const DEGREES_STEP = 0.000001;
/** Rounded to the step. */
export const degreesOf = (typed: string): number | undefined => {
  const degrees = readDegrees(typed);
  return degrees === undefined ? undefined : Number(degrees.toFixed(6));
};

export const baseOf = (order: OrderDetails, language: Language): EditBase => ({
  version: order.version,
  values: {
    trees: String(order.trees),
    amount: majorOf(order.amount, order.currency, language),
    currency: order.currency,
    customerEmail: order.customerEmail,
    customerName: order.customerName,
    location: order.location ?? '',
    latitude: order.coordinates?.latitude.toFixed(6) ?? '',
    longitude: order.coordinates?.longitude.toFixed(6) ?? '',
    notes: order.notes ?? '',
  },
});

const differs = (base: EditValues, typed: EditValues, ...fields: EditField[]): boolean =>
  fields.some((field) => base[field].trim() !== typed[field].trim());

export const isTouched = (base: EditValues, typed: EditValues): boolean =>
  differs(base, typed, ...EDIT_FIELDS);

/** Request with changed fields only; undefined without changes. Expects values that passed the schema. */
export function editOf(base: EditValues, typed: EditValues, language: Language): Body | undefined {
  if (!isTouched(base, typed)) return undefined;
  const { latitude, longitude } = typed;
  const currency = typed.currency as NonNullable<Body['currency']>;
  const amount = readAmount(typed.amount, currency, language);
  return {
    ...(differs(base, typed, 'trees') && { trees: treesOf(typed.trees) }),
    ...(differs(base, typed, 'amount', 'currency') && { amount: amount as number, currency }),
    ...(differs(base, typed, 'customerEmail') && { customerEmail: typed.customerEmail.trim() }),
    ...(differs(base, typed, 'customerName') && { customerName: typed.customerName.trim() }),
    ...(differs(base, typed, 'location') && { location: typed.location.trim() || null }),
    ...(differs(base, typed, 'latitude', 'longitude') && {
      coordinates:
        latitude.trim() === '' ? null : { latitude: degreesOf(latitude)!, longitude: degreesOf(longitude)! },
    }),
    ...(differs(base, typed, 'notes') && { notes: typed.notes.trim() || null }),
  };
}

export interface Meanwhile {
  field: EditField;
  from: string;
  to: string;
}

/** Three-way merge: concurrent changes fill untouched fields, typed values stay. */
export function merge(
  base: EditValues,
  fresh: EditValues,
  typed: EditValues,
): { values: EditValues; meanwhile: Meanwhile[] } {
  const values = { ...typed };
  const meanwhile: Meanwhile[] = [];
  for (const field of EDIT_FIELDS) {
    if (base[field] === fresh[field]) continue;
    meanwhile.push({ field, from: base[field], to: fresh[field] });
    if (!differs(base, typed, field)) values[field] = fresh[field];
  }
  return { values, meanwhile };
}
