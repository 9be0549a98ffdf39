import { currentContext, withContext } from '../context.ts';

/** The start of a span, in OpenTelemetry's terms. */
export interface SpanStart {
  /** A route or event type, never an id: few different values. */
  name: string;
  kind: 'server' | 'client' | 'consumer' | 'internal';
  /** The service that does the work; the parent's or the process's when absent. */
  service?: string | undefined;
  /** The parent's traceparent. */
  parent?: string | undefined;
  /** Ids, kinds and counts only, no personal data. */
  attributes?: Record<string, string | number>;
}

export interface SpanEnd {
  /** Set when it is known only at the end. */
  name?: string;
  attributes?: Record<string, string | number>;
  /** Kind of the error that ended it. */
  fault?: string | undefined;
}

export interface OpenSpan {
  /** https://www.w3.org/TR/trace-context/#traceparent-header */
  traceparent: string;
  end(how?: SpanEnd): void;
}

/** Implemented in open-telemetry.ts. */
export interface Tracing {
  open(start: SpanStart): OpenSpan;
  stop(): Promise<void>;
}

/** The attribute that finds all spans of an order. */
export const orderAttributes = (orderId: string | undefined): Record<string, string> =>
  orderId === undefined ? {} : { 'arboleda.order.id': orderId };

let tracing: Tracing | undefined;

/** This module does not load OpenTelemetry: without tracing, a span costs reading one variable. */
export const setTracing = (chosen: Tracing | undefined): void => void (tracing = chosen);
export const isTraced = (): boolean => tracing !== undefined;

/** The caller ends the span and passes its traceparent on. @returns undefined without tracing */
export const openSpan = (start: SpanStart): OpenSpan | undefined => tracing?.open(start);

/** Runs work in a span under `parent` or the current span. */
export const traced = <T>(start: SpanStart, run: () => Promise<T>): Promise<T> =>
  tracing ? inSpan(tracing, start, run) : run();

async function inSpan<T>(tracing: Tracing, start: SpanStart, run: () => Promise<T>): Promise<T> {
  const { traceparent, orderId } = currentContext();
  const span = tracing.open({
    ...start,
    parent: start.parent ?? traceparent,
    ...(orderId && { attributes: { ...start.attributes, ...orderAttributes(orderId) } }),
  });
  try {
    const result = await withContext({ ...currentContext(), traceparent: span.traceparent }, run);
    span.end();
    return result;
  } catch (error) {
    // Error messages may contain personal data.
    span.end({ fault: error instanceof Error ? error.name : typeof error });
    throw error;
  }
}

/** Headers that continue the current trace; empty without tracing. */
export function traceHeaders(): { traceparent?: string } {
  const traceparent = tracing && currentContext().traceparent;
  return traceparent === undefined ? {} : { traceparent };
}
