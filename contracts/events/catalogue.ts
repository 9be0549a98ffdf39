import { z } from 'zod';
import { exampleOf } from '../example.ts';
import type { JsonSchema } from '../schema-changes.ts';
import { SERVICES, type ServiceName } from '../services.ts';
import { publisherOf, schemaName, toCloudEvent } from './cloud-event.ts';
import { EVENTS, type EventType } from './index.ts';
import { TRAFFIC } from './traffic.ts';

/** All that programs of others need to know of an event type. */
export interface CatalogueEntry {
  type: EventType;
  version: number;
  /** Field of `data` that is the key: events of one key stay in order. */
  key: string;
  publisher: ServiceName;
  /** Each is a consumer group of its own. */
  listeners: readonly ServiceName[];
  /** JSON Schema of the data. */
  schema: JsonSchema;
  /** Paths in `data` that hold personal data: "customer.email". */
  personal: readonly string[];
  /** On Kafka: headers of the CloudEvent, and data. */
  example: { headers: Record<string, string>; data: Record<string, unknown> };
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
  const schema = jsonSchemaOf(data);
  const example = exampleOf(schema) as Record<string, unknown>;
  return {
    type,
    version,
    key,
    publisher: publisherOf(type),
    listeners: SERVICES.filter((service) => TRAFFIC[service].listensTo.includes(type)),
    schema: { ...schema, $id: schemaName(type, version), title: type },
    personal: personalIn(schema),
    example: {
      headers: toCloudEvent({ ...ENVELOPE, type, version, key: String(example[key]), data: example }).headers,
      data: example,
    },
  };
}

const ENVELOPE = {
  id: '3f0c9a52-6d1b-4a77-9c1e-8a4a6f2b7d10',
  occurredAt: '2026-11-21T20:00:00.000Z',
  sequence: 3,
  correlationId: '7c0e6f1a-2b54-4f0e-9d3a-5b8f3f1c2d4e',
  traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
};

export const schemaPath = (type: string, version: number): string => `/api/events/schemas/${type}/${version}`;

function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  const json: JsonSchema = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return json;
}

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
