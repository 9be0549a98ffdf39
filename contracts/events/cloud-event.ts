import { SERVICES, type ServiceName } from '../services.ts';
import type { EventEnvelope } from './envelope.ts';
import { EVENTS, type EventType } from './index.ts';
import { TRAFFIC } from './traffic.ts';

/**
 * An event as a CloudEvent 1.0 in the binary mode of its Kafka protocol binding: attributes are headers, the value is the
 * data. `partitionkey` and `sequence` are extensions of the specification; the last three are tracing's and ours.
 */
export const CLOUD_EVENT_HEADERS = [
  'ce_specversion',
  'ce_id',
  'ce_type',
  'ce_source',
  'ce_subject',
  'ce_time',
  'ce_dataschema',
  'ce_partitionkey',
  'ce_sequence',
  'ce_correlationid',
  'ce_causationid',
  'ce_traceparent',
] as const;
type Headers = Partial<Record<(typeof CLOUD_EVENT_HEADERS)[number] | 'content-type', string>>;

const SCHEMA = 'urn:arboleda:event:';

/** Name of the JSON Schema of a type's data, which is at /api/events/schemas/{type}/{version}. */
export const schemaName = (type: string, version: number): string => `${SCHEMA}${type}:${version}`;

/** The service that publishes a type; each has one. */
export const publisherOf = (type: EventType): ServiceName =>
  SERVICES.find((service) => TRAFFIC[service].publishes.includes(type))!;

export function toCloudEvent(event: EventEnvelope): { headers: Headers; value: string } {
  const { id, type, version, occurredAt, key, sequence, correlationId, causationId, traceparent } = event;
  return {
    headers: {
      ce_specversion: '1.0',
      ce_id: id,
      ce_type: type,
      ce_source: `/services/${type in EVENTS ? publisherOf(type as EventType) : 'unknown'}`,
      ce_subject: key,
      ce_time: occurredAt,
      ce_dataschema: schemaName(type, version),
      ce_partitionkey: key,
      ce_sequence: String(sequence),
      ce_correlationid: correlationId,
      ...(causationId !== undefined && { ce_causationid: causationId }),
      ...(traceparent !== undefined && { ce_traceparent: traceparent }),
      'content-type': 'application/json',
    },
    value: JSON.stringify(event.data),
  };
}

/** The event in our own form, not validated. @throws SyntaxError when the value is not JSON */
export function fromCloudEvent({ headers, value }: { headers: Headers; value: string }): unknown {
  const { ce_dataschema: schema = '' } = headers;
  return {
    id: headers.ce_id,
    type: headers.ce_type,
    version: Number(schema.slice(schema.lastIndexOf(':') + 1)),
    occurredAt: headers.ce_time,
    key: headers.ce_partitionkey,
    sequence: Number(headers.ce_sequence),
    correlationId: headers.ce_correlationid,
    ...(headers.ce_causationid !== undefined && { causationId: headers.ce_causationid }),
    ...(headers.ce_traceparent !== undefined && { traceparent: headers.ce_traceparent }),
    data: JSON.parse(value) as unknown,
  };
}
