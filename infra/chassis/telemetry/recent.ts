import { randomUUID } from 'node:crypto';
import { type SpanAttributes, type SpanStart, TRACEPARENT, type Tracing } from './trace.ts';

/** A span that has ended. */
export interface RecentSpan {
  spanId: string;
  /** Absent for the first span of its trace. */
  parentId?: string | undefined;
  service: string;
  name: string;
  kind: SpanStart['kind'];
  /** Milliseconds since 1970, with fractions. */
  startedAt: number;
  durationMs: number;
  attributes: Readonly<SpanAttributes>;
  /** Ids of other traces that it belongs to. */
  links: readonly string[];
  /** Kind of the error that ended it. */
  fault?: string | undefined;
}

export interface RecentTrace {
  traceId: string;
  spans: RecentSpan[];
}

export interface RecentTraces extends Tracing {
  /** The trace that began last comes first. */
  traces(): RecentTrace[];
}

const MAX_TRACES = 500;
/** A trace that lives for months goes on without its later spans. */
const MAX_SPANS = 300;

/** 32 digits. Node draws the randomness of many at once, which random bytes by themselves cost a call each. */
const randomHex = (): string => randomUUID().replaceAll('-', '');

/** Keeps the last traces in memory, for development without a collector. */
export function openRecentTraces(): RecentTraces {
  const traces = new Map<string, RecentTrace>();
  /** Open spans, with the service for child spans of engines that know none. */
  const opened = new Map<string, { owner: string; links: Set<string> }>();
  const keep = (traceId: string, span: RecentSpan) => {
    const trace = traces.get(traceId) ?? { traceId, spans: [] };
    if (trace.spans.length < MAX_SPANS) trace.spans.push(span);
    traces.set(traceId, trace);
    if (traces.size > MAX_TRACES) traces.delete(traces.keys().next().value!);
  };
  return {
    open({ name, kind, service, parent, attributes }) {
      const [, traceId = randomHex(), parentId] = TRACEPARENT.exec(parent ?? '') ?? [];
      const spanId = randomHex().slice(0, 16);
      const owner = service ?? opened.get(parentId ?? '')?.owner ?? 'product';
      const links = new Set<string>();
      opened.set(spanId, { owner, links });
      const startedAt = performance.timeOrigin + performance.now();
      return {
        traceparent: `00-${traceId}-${spanId}-01`,
        end(how = {}) {
          opened.delete(spanId);
          keep(traceId, {
            spanId,
            parentId,
            service: owner,
            name: how.name ?? name,
            kind,
            startedAt,
            durationMs: performance.timeOrigin + performance.now() - startedAt,
            attributes: { ...attributes, ...how.attributes },
            links: [...links],
            fault: how.fault,
          });
        },
      };
    },
    link(traceparent, to) {
      const [, , spanId = ''] = TRACEPARENT.exec(traceparent) ?? [];
      const [, traceId] = TRACEPARENT.exec(to) ?? [];
      if (traceId) opened.get(spanId)?.links.add(traceId);
    },
    traces: () => [...traces.values()].reverse(),
    dropped: () => 0,
    stop: async () => undefined,
  };
}
