import fc, { type Arbitrary } from 'fast-check';
import type { Operation, Schema } from '../operation.ts';
import { arbitraryOf } from './arbitrary.ts';
import { PHOTO_FILES } from './photo-files.ts';

/** A call as it will be sent; printable, to report one that fails. */
export interface Example {
  path: string;
  headers: Record<string, string>;
  json?: string | undefined;
  form?: readonly FormPart[] | undefined;
  /** `rightful` has a role that may call, `other` has not, `nobody` sends no token. */
  caller: 'rightful' | 'other' | 'nobody';
}

/** Small files that are what they say, and some that are not. */
const PICTURES = {
  ...PHOTO_FILES,
  text: Buffer.from('not a picture'),
  empty: Buffer.alloc(0),
  svg: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
  cut: PHOTO_FILES.jpeg.subarray(0, 40),
};
type PictureName = keyof typeof PICTURES;
const PICTURE_NAMES = Object.keys(PICTURES) as PictureName[];

type FormPart = { name: string; text: string } | { name: string; file: PictureName };

/** One part in so many is wrong. */
const WRONGNESS = 12;

/** Calls of an operation: most nearly right, many wrong somewhere. @param real values of path parameters that exist */
export function exampleOf(operation: Operation, real: Record<string, string>): Arbitrary<Example> {
  return fc.record({
    path: fc.tuple(pathOf(operation, real), queryOf(operation)).map((parts) => parts.join('')),
    headers: headersOf(operation),
    caller: fc.oneof(
      { weight: 18, arbitrary: fc.constant('rightful' as const) },
      { weight: 1, arbitrary: fc.constantFrom('other' as const, 'nobody' as const) },
    ),
    ...bodyOf(operation),
  });
}

function pathOf(operation: Operation, real: Record<string, string>): Arbitrary<string> {
  const parameters = operation.parameters.filter((parameter) => parameter.in === 'path');
  return fc
    .tuple(...parameters.map(({ name, schema }) => pathSegment(schema, real[name])))
    .map((values) =>
      parameters.reduce(
        (path, { name }, index) => path.replace(`{${name}}`, encodeURIComponent(values[index]!)),
        operation.path,
      ),
    );
}

function pathSegment(schema: Schema, real: string | undefined): Arbitrary<string> {
  const made = arbitraryOf(schema, WRONGNESS).map((value) => String(value).slice(0, 300));
  // A dot alone, and nothing at all, lead to other paths.
  const sent = made.filter((text) => text.isWellFormed() && !/^\.{0,2}$/.test(text));
  return real === undefined
    ? sent
    : fc.oneof({ weight: 3, arbitrary: fc.constant(real) }, { weight: 1, arbitrary: sent });
}

function queryOf(operation: Operation): Arbitrary<string> {
  const parameters = operation.parameters.filter((parameter) => parameter.in === 'query');
  const fields = Object.fromEntries(
    parameters.map(({ name, schema, required }) => {
      const value = arbitraryOf(schema, WRONGNESS, name).map(asText);
      const left = { weight: SELDOM[name] ?? 1, arbitrary: fc.constant(undefined) };
      return [name, required ? value : fc.oneof(left, { weight: 1, arbitrary: value })];
    }),
  );
  return fc.record(fields).map((query) => {
    const sent = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const text = new URLSearchParams(sent).toString();
    return text && `?${text}`;
  });
}

/** Left out so many times as sent: nothing that is made up is a place in a list. */
const SELDOM: Record<string, number> = { cursor: 8 };

const LANGUAGES = ['en', 'es-CO,es;q=0.9', 'fr', '*', ';;q=', 'es'];

const headersOf = ({ parameters }: Operation): Arbitrary<Record<string, string>> =>
  fc.record(
    {
      'Accept-Language': fc.constantFrom(...LANGUAGES),
      'If-Match': fc.constantFrom('"1"', '*', 'W/"2"', '"x', '"0", "1"'),
      Accept: fc.constantFrom(
        '*/*',
        'application/json',
        'image/avif,image/webp',
        'text/html',
        'no such type',
      ),
      Range: fc.constantFrom('bytes=0-10', 'bytes=-1', 'bytes=999999999-', 'lines=1', 'bytes=2-1'),
      ...(parameters.some(({ name }) => name === 'Idempotency-Key') && {
        'Idempotency-Key': fc.oneof(fc.uuid(), fc.constantFrom('short', 'with space in it', 'a'.repeat(200))),
      }),
    },
    { requiredKeys: [] },
  ) as Arbitrary<Record<string, string>>;

function bodyOf({ body }: Operation): { json?: Arbitrary<string>; form?: Arbitrary<FormPart[]> } {
  if (!body) return {};
  if (body.type === 'multipart/form-data') return { form: formOf(body.schema) };
  return {
    json: fc.oneof(
      {
        weight: 25,
        arbitrary: arbitraryOf(body.schema, WRONGNESS).map((value) => JSON.stringify(value) ?? 'null'),
      },
      {
        weight: 1,
        arbitrary: fc.constantFrom('', '{', '[]', '"text"', 'null', '\u0000', '{"a":'.repeat(2000)),
      },
    ),
  };
}

function formOf(schema: Schema): Arbitrary<FormPart[]> {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
  const isFile = (property: Schema) => (property.items as Schema | undefined)?.format === 'binary';
  const texts = Object.fromEntries(
    properties
      .filter(([, property]) => !isFile(property))
      .map(([name, property]) => [name, arbitraryOf(property, WRONGNESS, name).map(asText)]),
  );
  const required = ((schema.required ?? []) as string[]).filter((name) => name in texts);
  const files = properties
    .filter(([, property]) => isFile(property))
    .map(([name, property]) =>
      fc.array(fc.record({ name: fc.constant(name), file: fc.constantFrom(...PICTURE_NAMES) }), {
        maxLength: Number(property.maxItems ?? 3) + 1,
      }),
    );
  return fc
    .tuple(fc.record(texts, { requiredKeys: required }), ...files)
    .map(([fields, ...sent]) => [
      ...Object.entries(fields).map(([name, text]) => ({ name, text: text as string })),
      ...sent.flat(),
    ]);
}

const asText = (value: unknown): string =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).toWellFormed();

export function bodyToSend({ json, form }: Example): { body: BodyInit | null; type?: string } {
  if (json !== undefined) return { body: json, type: 'application/json' };
  if (!form) return { body: null };
  const body = new FormData();
  for (const part of form) {
    if ('text' in part) body.append(part.name, part.text);
    else body.append(part.name, new Blob([PICTURES[part.file]]), `${part.file}.jpg`);
  }
  return { body };
}
