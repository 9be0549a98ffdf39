import type { CatalogueEntry, JsonSchema } from './catalogue.ts';

/** The parts of an event type that consumers rely on. released.jsonl keeps them for the last release. */
export type Published = Pick<CatalogueEntry, 'type' | 'version' | 'key' | 'listeners' | 'schema'>;

/**
 * Why consumers of the released events could fail on today's, as sentences. New types, new optional fields, wider bounds
 * and new listeners are allowed; anything else needs a new version of the type.
 */
export function breakingChanges(released: readonly Published[], today: readonly Published[]): string[] {
  return released.flatMap((before) => {
    const after = today.find(({ type }) => type === before.type);
    if (!after) return [`${before.type}: the type, and with it its topic, is gone`];
    if (after.version > before.version) return [];
    return [
      ...(after.version < before.version ? [`${before.type}: version ${before.version} is gone`] : []),
      ...(after.key === before.key ? [] : [`${before.type}: the key is ${after.key}, was ${before.key}`]),
      ...before.listeners
        .filter((listener) => !after.listeners.includes(listener))
        .map((listener) => `${before.type}: ${listener} no longer listens, and what waits for it is lost`),
      ...changesIn(before.schema, after.schema, before.type),
    ];
  });
}

const record = (value: unknown): Record<string, JsonSchema> => (value ?? {}) as Record<string, JsonSchema>;
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const choicesOf = (schema: JsonSchema): JsonSchema[] => list(schema.anyOf ?? schema.oneOf) as JsonSchema[];
const valuesOf = (schema: JsonSchema): unknown[] | undefined =>
  'const' in schema ? [schema.const] : (schema.enum as unknown[] | undefined);

/** @param path "order.created", then "order.created.data.trees" */
function changesIn(before: JsonSchema, after: JsonSchema, path: string): string[] {
  const choices = choicesOf(before);
  if (choices.length > 0 || choicesOf(after).length > 0)
    return changesOfChoices(choices, choicesOf(after), path);
  if (before.type !== after.type) return [`${path}: is ${kindOf(after)}, was ${kindOf(before)}`];
  return [
    ...changesOfValues(before, after, path),
    ...changesOfFields(before, after, path),
    ...(before.items && after.items
      ? changesIn(before.items as JsonSchema, after.items as JsonSchema, `${path}[]`)
      : []),
  ];
}

const kindOf = ({ type }: JsonSchema): string => (type === undefined ? 'anything' : String(type));

/** A consumer knows the values of its release, and no others. */
function changesOfValues(before: JsonSchema, after: JsonSchema, path: string): string[] {
  const known = valuesOf(before);
  const now = valuesOf(after);
  if (known && !now) return [`${path}: may be any ${kindOf(after)}, was one of ${known.join(', ')}`];
  if (known)
    return now!
      .filter((value) => !known.includes(value))
      .map((value) => `${path}: may be ${String(value)} now`);
  const bounds = [
    'pattern',
    'format',
    'minimum',
    'maximum',
    'minLength',
    'maxLength',
    'minItems',
    'maxItems',
  ];
  return bounds
    .filter((bound) => isWider(bound, before[bound], after[bound]))
    .map((bound) => `${path}: ${bound} is ${String(after[bound] ?? 'gone')}, was ${String(before[bound])}`);
}

/** Whether values may come that the former bound excluded. */
function isWider(bound: string, before: unknown, after: unknown): boolean {
  if (before === undefined || before === after) return false;
  if (after === undefined || bound === 'pattern' || bound === 'format') return true;
  return bound.startsWith('min') ? Number(after) < Number(before) : Number(after) > Number(before);
}

function changesOfFields(before: JsonSchema, after: JsonSchema, path: string): string[] {
  const now = record(after.properties);
  const required = list(after.required);
  const wasRequired = list(before.required);
  return [
    ...Object.entries(record(before.properties)).flatMap(([name, field]) => {
      const its = `${path}.${name}`;
      if (!now[name]) return [`${its}: the field is gone`];
      if (wasRequired.includes(name) && !required.includes(name)) return [`${its}: may be absent now`];
      return changesIn(field, now[name], its);
    }),
    // A publisher of the release before may still run, and events from before wait in topics.
    ...required
      .filter((name) => !wasRequired.includes(name))
      .map((name) => `${path}.${String(name)}: is required now`),
  ];
}

function changesOfChoices(before: JsonSchema[], after: JsonSchema[], path: string): string[] {
  if (before.length === 0) return [`${path}: has several forms now`];
  if (after.length === 0) return [`${path}: has one form, had ${before.length}`];
  return [
    ...before.slice(after.length).map(() => `${path}: a form is gone`),
    ...after.slice(before.length).map(() => `${path}: has a new form`),
    ...before.slice(0, after.length).flatMap((form, at) => changesIn(form, after[at]!, path)),
  ];
}
