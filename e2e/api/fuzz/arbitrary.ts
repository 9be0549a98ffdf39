import { exampleOf } from '@arboleda/contracts/example.ts';
import fc, { type Arbitrary } from 'fast-check';
import type { Schema } from '../operation.ts';

/** Unexpected values, as forms, scripts and attackers send them. */
const NASTY = [
  '',
  ' ',
  '0',
  '-1',
  '1e309',
  'null',
  'undefined',
  'true',
  '[]',
  '{}',
  '\u0000',
  '\u0000\u0001',
  '\ud800',
  '‮mal',
  "' or 1=1 --",
  '"; drop table payments; --',
  '{"$ne":null}',
  '$where',
  '__proto__',
  'constructor',
  '../../etc/passwd',
  '<script>alert(1)</script>',
  '{{7*7}}',
  '%00',
  '%ff',
  'a'.repeat(5000),
  '💚'.repeat(300),
  'ñandú',
  '2026-02-30',
  'NaN',
];

/** Any JSON, mostly of kinds that are mistaken for others. */
const anything = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, 0, -1, 1.5, 1e21, 2 ** 53, -0, [], {}, [null], { $gt: '' }),
  fc.constantFrom(...NASTY),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.jsonValue({ maxDepth: 2 }),
);

/**
 * Values of a schema, often the one of the documentation; now and then something else in its place.
 * @param wrongness of how many parts one is wrong: 0 none
 */
export function arbitraryOf(schema: Schema, wrongness: number, name = ''): Arbitrary<unknown> {
  const right = fc.oneof(
    { weight: 3, arbitrary: fc.constant(exampleOf(schema, name)) },
    { weight: 2, arbitrary: rightOf(schema, wrongness) },
  );
  return wrongness === 0
    ? right
    : fc.oneof({ weight: 1, arbitrary: anything }, { weight: wrongness, arbitrary: right });
}

function rightOf(schema: Schema, wrongness: number): Arbitrary<unknown> {
  if ('const' in schema) return fc.constant(schema.const);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...(schema.enum as unknown[]));
  const choices = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined;
  if (choices) return fc.oneof(...choices.map((choice) => arbitraryOf(choice, wrongness)));
  switch (schema.type) {
    case 'object':
      return objectOf(schema, wrongness);
    case 'array':
      return fc.array(arbitraryOf((schema.items ?? {}) as Schema, wrongness), {
        minLength: Number(schema.minItems ?? 0),
        maxLength: Math.min(Number(schema.maxItems ?? 4), 8),
      });
    case 'integer':
      return fc.integer(bounds(schema, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER));
    case 'number':
      return fc.double({ ...bounds(schema, -1e12, 1e12), noNaN: true, noDefaultInfinity: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'string':
      return stringOf(schema);
    default:
      return anything;
  }
}

/** Required fields always, others now and then; sometimes a field that nobody asked for. */
function objectOf(schema: Schema, wrongness: number): Arbitrary<unknown> {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
  const required = new Set(schema.required as string[] | undefined);
  const fields = Object.fromEntries(
    properties.map(([name, property]) => [name, arbitraryOf(property, wrongness, name)]),
  );
  const whole = fc.record(fields, {
    requiredKeys: properties.map(([name]) => name).filter((name) => required.has(name)),
  });
  if (wrongness === 0) return whole;
  const names = properties.map(([name]) => name);
  const lacking = fc
    .tuple(whole, fc.subarray(names))
    .map(([value, gone]) =>
      Object.fromEntries(Object.entries(value).filter(([name]) => !gone.includes(name))),
    );
  const more = fc
    .tuple(whole, fc.constantFrom(...NASTY), anything)
    .map(([value, name, extra]) => ({ ...value, [name]: extra }));
  return fc.oneof(
    { weight: 8, arbitrary: whole },
    { weight: 1, arbitrary: lacking },
    { weight: 1, arbitrary: more },
  );
}

function bounds({ minimum, maximum }: Schema, lowest: number, highest: number) {
  return {
    min: Math.max(Number(minimum ?? lowest), lowest),
    max: Math.min(Number(maximum ?? highest), highest),
  };
}

const FORMATS: Record<string, () => Arbitrary<string>> = {
  email: () => fc.emailAddress({ size: 'small' }),
  uri: () => fc.webUrl(),
  uuid: () => fc.uuid(),
  date: () =>
    fc.date({ noInvalidDate: true, min: EARLIEST, max: LATEST }).map((day) => day.toISOString().slice(0, 10)),
  'date-time': () =>
    fc.date({ noInvalidDate: true, min: EARLIEST, max: LATEST }).map((at) => at.toISOString()),
};
const EARLIEST = new Date('0001-01-01');
const LATEST = new Date('9999-12-31');

function stringOf(schema: Schema): Arbitrary<string> {
  const format = FORMATS[String(schema.format)];
  if (format) return format();
  const minLength = Number(schema.minLength ?? 0);
  const maxLength = Math.min(Number(schema.maxLength ?? 60), 400);
  const patterns = patternsOf(schema);
  const fits = (text: string) => text.length >= minLength && text.length <= maxLength;
  const [only] = patterns;
  // fast-check cannot build patterns with Unicode properties: they are found by trying.
  if (only && patterns.length === 1 && !/\\p|\(\?/.test(only.source))
    return fc.stringMatching(only).filter(fits);
  return fc
    .string({ unit: 'grapheme', minLength, maxLength })
    .filter((text) => fits(text) && patterns.every((pattern) => pattern.test(text)));
}

const patternsOf = ({ pattern, allOf = [] }: Schema): RegExp[] =>
  [pattern, ...(allOf as Schema[]).map((one) => one.pattern)]
    .filter((source) => typeof source === 'string')
    .map((source) => new RegExp(source, 'u'));
