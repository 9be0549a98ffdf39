import {
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  NodeTracerProvider,
  type SpanExporter,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-node';
import { randomUUID } from 'node:crypto';
import { TRACEPARENT, type Tracing } from './trace.ts';

/** Spans that an unavailable collector does not take in time are dropped. */
const EXPORT_WITHIN_MS = 3_000;
/** OpenTelemetry's default. */
const MAX_QUEUED = 2_048;

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
};

/**
 * Exports spans by OTLP over HTTP. Each service of a process is its own resource, so that traces look alike in both
 * tiers. Import it only when tracing is on: see start.ts.
 * @param endpoint of the collector, without /v1/traces
 */
export function openTracing(options: { service: string; version: string; endpoint: string }): Tracing {
  const url = `${options.endpoint.replace(/\/$/, '')}/v1/traces`;
  const otlp = new OTLPTraceExporter({ url, timeoutMillis: EXPORT_WITHIN_MS });
  let dropped = 0;
  let queued = 0;
  const exporter: SpanExporter = {
    export(spans, done) {
      queued -= spans.length;
      otlp.export(spans, (result) => {
        if (result.code !== 0) dropped += spans.length;
        done(result);
      });
    },
    forceFlush: () => otlp.forceFlush(),
    shutdown: () => otlp.shutdown(),
  };
  const batches = new BatchSpanProcessor(exporter, {
    exportTimeoutMillis: EXPORT_WITHIN_MS,
    maxQueueSize: MAX_QUEUED,
  });
  const processor: SpanProcessor = {
    onStart: (span, parent) => batches.onStart(span, parent),
    onEnd(span) {
      if (queued >= MAX_QUEUED) return void dropped++;
      queued++;
      batches.onEnd(span);
    },
    forceFlush: () => batches.forceFlush(),
    shutdown: () => batches.shutdown(),
  };
  const instance = randomUUID();
  const tracers = new Map<string, Tracer>();
  /** Open spans, with the service for child spans of engines that know none. */
  const opened = new Map<string, { span: Span; owner: string; links: Set<string> }>();
  const tracerOf = (service: string): Tracer => {
    const known = tracers.get(service);
    if (known) return known;
    const resource = resourceFromAttributes({
      'service.name': service,
      'service.namespace': 'arboleda',
      'service.version': options.version,
      'service.instance.id': instance,
    });
    const tracer = new NodeTracerProvider({ resource, spanProcessors: [processor] }).getTracer('arboleda');
    tracers.set(service, tracer);
    return tracer;
  };

  return {
    open({ name, kind, service, parent, attributes }) {
      const owner = service ?? opened.get(parent ?? '')?.owner ?? options.service;
      const above = readTraceparent(parent);
      const span = tracerOf(owner).startSpan(
        name,
        { kind: KINDS[kind], ...(attributes && { attributes }) },
        above ? trace.setSpanContext(ROOT_CONTEXT, above) : ROOT_CONTEXT,
      );
      const traceparent = writeTraceparent(span.spanContext());
      opened.set(traceparent, { span, owner, links: new Set() });
      return {
        traceparent,
        end({ name, attributes, fault } = {}) {
          if (name) span.updateName(name);
          if (attributes) span.setAttributes(attributes);
          if (fault) span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', fault);
          span.end();
          opened.delete(traceparent);
        },
      };
    },
    link(traceparent, to) {
      const from = opened.get(traceparent);
      const context = readTraceparent(to);
      if (!from || !context || from.links.has(to)) return;
      from.links.add(to);
      from.span.addLink({ context });
    },
    dropped: () => dropped,
    stop: () => processor.shutdown(),
  };
}

/** @returns undefined when it is invalid: a new trace begins */
function readTraceparent(traceparent: string | undefined): SpanContext | undefined {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent ?? '') ?? [];
  if (!traceId || !spanId || !flags) return undefined;
  const context = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  return isSpanContextValid(context) ? context : undefined;
}

const writeTraceparent = ({ traceId, spanId, traceFlags }: SpanContext): string =>
  `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
