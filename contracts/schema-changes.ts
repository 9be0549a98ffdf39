export type JsonSchema = Record<string, unknown>;

/**
 * How a schema is used, and by that what breaks it. `event`: read by programs of the last release, and written by them
 * too while both run. `answer`: read by them. `request`: written by them.
 */
export type SchemaUse = 'event' | 'answer' | 'request';

const record = (value: unknown): Record<string, JsonSchema> => (value ?? {}) as Record<string, JsonSchema>;
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const choicesOf = (schema: JsonSchema): JsonSchema[] => list(schema.anyOf ?? schema.oneOf) as JsonSchema[];
const valuesOf = (schema: JsonSchema): unknown[] | undefined =>
  'const' in schema ? [schema.const] : (schema.enum as unknown[] | undefined);
const typesOf = ({ type }: JsonSchema): unknown[] => (type === undefined ? ['anything'] : [type].flat());
const kindOf = (schema: JsonSchema): string => typesOf(schema).join(' or ');

/**
 * Why programs of the last release could fail on today's schema, as sentences. New optional fields are allowed, and so are
 * fewer values in events and answers, and more in requests.
 * @param path "order.created", then "order.created.data.trees"
 */
export function schemaChanges(
  before: JsonSchema,
  after: JsonSchema,
  path: string,
  use: SchemaUse = 'event',
): string[] {
  const choices = choicesOf(before);
  if (choices.length > 0 || choicesOf(after).length > 0)
    return changesOfChoices(choices, choicesOf(after), path, use);
  if (hasOtherTypes(before, after, use)) return [`${path}: is ${kindOf(after)}, was ${kindOf(before)}`];
  return [
    ...changesOfValues(before, after, path, use),
    ...changesOfFields(before, after, path, use),
    ...changesOfRest(before, after, path, use),
    ...(before.items && after.items
      ? schemaChanges(before.items as JsonSchema, after.items as JsonSchema, `${path}[]`, use)
      : []),
  ];
}

/** Whether values of types come, or are refused, that programs do not expect. */
function hasOtherTypes(before: JsonSchema, after: JsonSchema, use: SchemaUse): boolean {
  const [few, many] = use === 'request' ? [before, after] : [after, before];
  return typesOf(few).some((type) => !typesOf(many).includes(type));
}

/** Programs know the values of their release, and no others. */
function changesOfValues(before: JsonSchema, after: JsonSchema, path: string, use: SchemaUse): string[] {
  const known = valuesOf(before);
  const now = valuesOf(after);
  if (use === 'request') {
    if (now && !known) return [`${path}: must be one of ${now.join(', ')} now, was any ${kindOf(before)}`];
    if (known && now)
      return known
        .filter((value) => !now.includes(value))
        .map((value) => `${path}: may not be ${String(value)} any more`);
  } else {
    if (known && !now) return [`${path}: may be any ${kindOf(after)}, was one of ${known.join(', ')}`];
    if (known && now)
      return now
        .filter((value) => !known.includes(value))
        .map((value) => `${path}: may be ${String(value)} now`);
  }
  return BOUNDS.filter((bound) => !(bound === 'pattern' && isSameFormat(before, after)))
    .filter((bound) =>
      use === 'request'
        ? isWider(bound, after[bound], before[bound])
        : isWider(bound, before[bound], after[bound]),
    )
    .map((bound) => `${path}: ${bound} is ${written(after[bound], 'gone')}, was ${written(before[bound])}`);
}

const BOUNDS = [
  'pattern',
  'allOf',
  'format',
  'minimum',
  'exclusiveMinimum',
  'maximum',
  'exclusiveMaximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
];

/** The format says it all; the library writes another pattern for it in other versions. */
const isSameFormat = (before: JsonSchema, after: JsonSchema): boolean =>
  before.format !== undefined && before.format === after.format;

const written = (bound: unknown, absent = 'absent'): string =>
  bound === undefined ? absent : typeof bound === 'object' ? JSON.stringify(bound) : String(bound);

/** Whether values are allowed by the second bound that the first one excludes. */
function isWider(bound: string, narrow: unknown, wide: unknown): boolean {
  if (narrow === undefined || written(narrow) === written(wide)) return false;
  if (wide === undefined || ['pattern', 'allOf', 'format'].includes(bound)) return true;
  return bound.endsWith('inimum') || bound.startsWith('min')
    ? Number(wide) < Number(narrow)
    : Number(wide) > Number(narrow);
}

function changesOfFields(before: JsonSchema, after: JsonSchema, path: string, use: SchemaUse): string[] {
  const now = record(after.properties);
  const required = list(after.required);
  const wasRequired = list(before.required);
  return [
    ...Object.entries(record(before.properties)).flatMap(([name, field]) => {
      const its = `${path}.${name}`;
      if (!now[name]) return [`${its}: the field is gone`];
      if (use !== 'request' && wasRequired.includes(name) && !required.includes(name))
        return [`${its}: may be absent now`];
      return schemaChanges(field, now[name], its, use);
    }),
    // In events because a publisher of the release before may still run, and events from before wait in topics.
    ...required
      .filter((name) => use !== 'answer' && !wasRequired.includes(name))
      .map((name) => `${path}.${String(name)}: is required now`),
  ];
}

/** Fields that have no names of their own: the values of a map, or none in a strict request. */
function changesOfRest(before: JsonSchema, after: JsonSchema, path: string, use: SchemaUse): string[] {
  const [was, is] = [before.additionalProperties, after.additionalProperties];
  if (use === 'request' && is === false && was !== false) return [`${path}: refuses unknown fields now`];
  return typeof was === 'object' && typeof is === 'object'
    ? schemaChanges(was as JsonSchema, is as JsonSchema, `${path}.*`, use)
    : [];
}

function changesOfChoices(before: JsonSchema[], after: JsonSchema[], path: string, use: SchemaUse): string[] {
  if (before.length === 0) return [`${path}: has several forms now`];
  if (after.length === 0) return [`${path}: has one form, had ${before.length}`];
  return [
    ...before.slice(after.length).map(() => `${path}: a form is gone`),
    ...(use === 'request' ? [] : after.slice(before.length).map(() => `${path}: has a new form`)),
    ...before.slice(0, after.length).flatMap((form, at) => schemaChanges(form, after[at]!, path, use)),
  ];
}
