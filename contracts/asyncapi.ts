import { type CatalogueEntry, eventCatalogue } from './events/catalogue.ts';
import { CLOUD_EVENT_HEADERS } from './events/cloud-event.ts';
import { VERSION } from './version.ts';

type Json = Record<string, unknown>;

const KAFKA_BINDING = '0.5.0';
const ref = (path: string): Json => ({ $ref: path });
/** A name in a JSON pointer. */
const messageName = ({ type, version }: CatalogueEntry) => `${type}.${version}`;

/**
 * AsyncAPI 3.0 document of all events as they are on Kafka: a topic for each type, and a consumer group for each service.
 * @param options.kafkaHost "kafka:9092"
 * @param options.contactEmail the organisation's
 */
export function asyncApiDocument(options: {
  serverUrl: string;
  kafkaHost: string;
  contactEmail: string;
}): Json {
  const entries = eventCatalogue();
  const services = [...new Set(entries.flatMap(({ publisher, listeners }) => [publisher, ...listeners]))];
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Arboleda events',
      version: VERSION,
      license: { name: 'Proprietary' },
      contact: { name: 'Arboleda', url: options.serverUrl, email: options.contactEmail },
      description:
        'What happens to orders, payments, trees and photos, as CloudEvents 1.0 in binary mode. Events of one key come in order and may come again: ' +
        'consumers know them by `ce_id`. A consumer that fails tries again for about ten minutes; then the event is a dead ' +
        'letter of its group, and those behind it go on. `x-personal` names the fields that hold personal data.',
      tags: services.map((name) => ({ name })),
    },
    defaultContentType: 'application/json',
    servers: {
      kafka: {
        host: options.kafkaHost,
        protocol: 'kafka',
        description:
          'The broker of the distributed tier. The embedded tier delivers the same events by PostgreSQL.',
      },
    },
    channels: Object.fromEntries(entries.map((entry) => [entry.type, channelOf(entry)])),
    operations: Object.fromEntries(entries.flatMap(operationsOf)),
    components: {
      messages: Object.fromEntries(entries.map((entry) => [messageName(entry), messageOf(entry)])),
    },
  };
}

const channelOf = (entry: CatalogueEntry): Json => ({
  address: entry.type,
  title: entry.type,
  messages: { [messageName(entry)]: ref(`#/components/messages/${messageName(entry)}`) },
  bindings: { kafka: { topic: entry.type, bindingVersion: KAFKA_BINDING } },
});

function operationsOf(entry: CatalogueEntry): [string, Json][] {
  const about = {
    channel: ref(`#/channels/${entry.type}`),
    messages: [ref(`#/channels/${entry.type}/messages/${messageName(entry)}`)],
  };
  return [
    [
      `${entry.publisher}.publishes.${entry.type}`,
      {
        action: 'send',
        title: `${entry.publisher} publishes ${entry.type}`,
        description: `Events of one \`${entry.key}\` are published in the order in which they happened.`,
        tags: [{ name: entry.publisher }],
        ...about,
      },
    ],
    ...entry.listeners.map((service): [string, Json] => [
      `${service}.handles.${entry.type}`,
      {
        action: 'receive',
        title: `${service} handles ${entry.type}`,
        description: `The consumer group \`${service}\` gets each event at least once.`,
        tags: [{ name: service }],
        ...about,
        bindings: {
          kafka: { groupId: { type: 'string', enum: [service] }, bindingVersion: KAFKA_BINDING },
        },
      },
    ]),
  ];
}

const messageOf = (entry: CatalogueEntry): Json => ({
  name: entry.type,
  title: `${entry.type}, version ${entry.version}`,
  contentType: 'application/json',
  headers: HEADERS,
  payload: entry.schema,
  'x-personal': entry.personal,
  bindings: {
    kafka: { key: { type: 'string', description: `data.${entry.key}` }, bindingVersion: KAFKA_BINDING },
  },
  examples: [{ name: 'example', headers: entry.example.headers, payload: entry.example.data }],
});

const OPTIONAL = ['ce_causationid', 'ce_traceparent'];
const HEADERS: Json = {
  type: 'object',
  properties: Object.fromEntries(CLOUD_EVENT_HEADERS.map((name) => [name, { type: 'string' }])),
  required: CLOUD_EVENT_HEADERS.filter((name) => !OPTIONAL.includes(name)),
};
