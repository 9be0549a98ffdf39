import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { bytesOf, type Field, fieldsOf, textOf } from './protobuf.ts';
import { waitFor } from './wait.ts';

/** A span as a collector receives it. */
export interface ReceivedSpan {
  service: string;
  /** The release that sent it. */
  version: string;
  name: string;
  traceId: string;
  spanId: string;
  /** Empty for the root span. */
  parentId: string;
  attributes: Record<string, string>;
  /** Trace ids. */
  links: string[];
  failed: boolean;
}

/** Receives traces by OTLP over HTTP, like Jaeger. */
export interface TestCollector {
  endpoint: string;
  spans: ReceivedSpan[];
  /** Waits for a span of this name. */
  span(name: string): Promise<ReceivedSpan>;
  close(): Promise<void>;
}

/** Start it before the traced process. */
export async function startCollector(): Promise<TestCollector> {
  // Otherwise spans are batched for seconds.
  process.env.OTEL_BSP_SCHEDULE_DELAY ??= '50';
  const spans: ReceivedSpan[] = [];
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      if (request.url === '/v1/traces') spans.push(...readSpans(body));
      response.writeHead(200, { 'Content-Type': 'application/x-protobuf' }).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    span: (name) => waitFor(() => spans.find((span) => span.name === name), 15_000),
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

// Field numbers:
// https://github.com/open-telemetry/opentelemetry-proto/blob/main/opentelemetry/proto/trace/v1/trace.proto
const readSpans = (request: Uint8Array): ReceivedSpan[] =>
  children(fieldsOf(request), 1).flatMap((resourceSpans) => {
    const resource = attributesOf(children(resourceSpans, 1)[0]!, 1);
    return children(resourceSpans, 2)
      .flatMap((scopeSpans) => children(scopeSpans, 2))
      .map((span) => toSpan(span, resource));
  });

const toSpan = (span: readonly Field[], resource: Record<string, string>): ReceivedSpan => ({
  service: resource['service.name'] ?? '',
  version: resource['service.version'] ?? '',
  name: textOf(span, 5),
  traceId: hex(span, 1),
  spanId: hex(span, 2),
  parentId: hex(span, 4),
  attributes: attributesOf(span, 9),
  links: children(span, 13).map((link) => hex(link, 1)),
  failed: children(span, 15).some((status) =>
    status.some(({ number, value }) => number === 3 && value === 2),
  ),
});

const children = (fields: readonly Field[], number: number): Field[][] =>
  bytesOf(fields, number).map(fieldsOf);
const hex = (fields: readonly Field[], number: number): string =>
  Buffer.from(bytesOf(fields, number)[0] ?? []).toString('hex');

/** String attributes, and integers as text. */
const attributesOf = (fields: readonly Field[], number: number): Record<string, string> =>
  Object.fromEntries(
    children(fields, number).map((attribute) => {
      const value = children(attribute, 2)[0] ?? [];
      const whole = value.find((field) => field.number === 3)?.value;
      return [textOf(attribute, 1), whole === undefined ? textOf(value, 1) : String(whole)];
    }),
  );
