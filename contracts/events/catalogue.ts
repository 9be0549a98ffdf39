import { z } from 'zod';
import { exampleOf } from '../example.ts';
import { SERVICES, type ServiceName } from '../services.ts';
import { envelope } from './envelope.ts';
import { EVENTS, type EventType } from './index.ts';
import { TRAFFIC } from './traffic.ts';

export type JsonSchema = Record<string, unknown>;

/** All that programs of others need to know of an event type. */
export interface CatalogueEntry {
  type: EventType;
  version: number;
  /** Field of `data` that is the key: events of one key stay in order. */
  key: string;
  publishers: readonly ServiceName[];
  /** Each is a consumer group of its own. */
  listeners: readonly ServiceName[];
  /** JSON Schema of the whole event, envelope and data. */
  schema: JsonSchema;
  /** Paths in `data` that hold personal data: "customer.email". */
  personal: readonly string[];
  example: Record<string, unknown>;
}

/** Names of text fields that say something of a person, wherever they stand in an event. */
const PERSONAL = new Set([
  'country',
  'email',
  'from',
  'last4',
  'message',
  'name',
  'note',
  'notes',
  'originalName',
  'phone',
  'reason',
  'recipientEmail',
  'recipientName',
  'referenceNumber',
  'sealedToken',
  'text',
  'to',
]);

/** Every event type, in the order of the contract. Derived from EVENTS and TRAFFIC: nothing is written twice. */
export const eventCatalogue = (): CatalogueEntry[] => (Object.keys(EVENTS) as EventType[]).map(entryOf);

function entryOf(type: EventType): CatalogueEntry {
  const { key, version, data } = EVENTS[type];
  const schema = jsonSchemaOf(
    envelope.extend({ type: z.literal(type), version: z.literal(version), data: data as z.ZodType }),
  );
  const services = (has: 'publishes' | 'listensTo') =>
    SERVICES.filter((service) => TRAFFIC[service][has].includes(type));
  const example = exampleOf(schema) as Record<string, unknown> & { data: Record<string, unknown> };
  return {
    type,
    version,
    key,
    publishers: services('publishes'),
    listeners: services('listensTo'),
    schema: {
      ...schema,
      $id: schemaPath(type, version),
      title: type,
    },
    personal: personalIn(propertyOf(schema, 'data')),
    example: { ...example, key: String(example.data[key]) },
  };
}

export const schemaPath = (type: string, version: number): string => `/api/events/schemas/${type}/${version}`;

function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  const json: JsonSchema = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return json;
}

const propertyOf = (schema: JsonSchema, name: string): JsonSchema =>
  (schema.properties as Record<string, JsonSchema>)[name]!;

function personalIn(schema: JsonSchema, path: readonly string[] = []): string[] {
  const inside = [schema.items, ...((schema.anyOf ?? schema.oneOf ?? []) as JsonSchema[])].filter(
    (one): one is JsonSchema => one !== undefined,
  );
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  const found = [
    ...inside.flatMap((one) => personalIn(one, path)),
    ...properties.flatMap(([name, property]) => personalIn(property, [...path, name])),
  ];
  const isText = schema.type === 'string' && !('enum' in schema) && !('const' in schema);
  return isText && PERSONAL.has(path.at(-1) ?? '') ? [path.join('.'), ...found] : [...new Set(found)];
}
