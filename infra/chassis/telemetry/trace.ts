import { currentContext, withContext } from '../context.ts';

/** A piece of work as it begins, in OpenTelemetry's words. */
export interface SpanStart {
  /** Of few values: a route, a type of event; never an id. */
  name: string;
  kind: 'server' | 'client' | 'consumer' | 'internal';
  /** Whose work it is; when absent whose the parent is, or else the process's. */
  service?: string | undefined;
  /** The traceparent of what led to it. */
  parent?: string | undefined;
  /** Ids, kinds and counts alone: nothing of a person. */
  attributes?: Record<string, string | number>;
}

export interface SpanEnd {
  /** When it is known only at the end. */
  name?: string;
  attributes?: Record<string, string | number>;
  /** What kind of fault ended it. */
  fault?: string | undefined;
}

export interface OpenSpan {
  /** By which others refer to it: https://www.w3.org/TR/trace-context/#traceparent-header */
  traceparent: string;
  end(how?: SpanEnd): void;
}

/** What notes spans down; see open-telemetry.ts. */
export interface Tracing {
  open(start: SpanStart): OpenSpan;
  stop(): Promise<void>;
}

/** The attribute by which all spans of an order are found. */
export const ofOrder = (orderId: string | undefined): Record<string, string> =>
  orderId === undefined ? {} : { 'arboleda.order.id': orderId };

let tracing: Tracing | undefined;

/** Nothing here loads OpenTelemetry: while nobody traces, a span costs one look at a variable. */
export const traceBy = (chosen: Tracing | undefined): void => void (tracing = chosen);
export const isTraced = (): boolean => tracing !== undefined;

/** The caller ends it, and hands its traceparent on. @returns undefined while nobody traces. */
export const openSpan = (start: SpanStart): OpenSpan | undefined => tracing?.open(start);

/** Does some work in a span of its own, under `parent` or else the running one; what it causes comes under it. */
export const traced = <T>(start: SpanStart, run: () => Promise<T>): Promise<T> =>
  tracing ? inSpan(tracing, start, run) : run();

async function inSpan<T>(tracing: Tracing, start: SpanStart, run: () => Promise<T>): Promise<T> {
  const { traceparent, orderId } = currentContext();
  const span = tracing.open({
    ...start,
    parent: start.parent ?? traceparent,
    ...(orderId && { attributes: { ...start.attributes, ...ofOrder(orderId) } }),
  });
  try {
    const result = await withContext({ ...currentContext(), traceparent: span.traceparent }, run);
    span.end();
    return result;
  } catch (error) {
    // Messages may quote what people wrote.
    span.end({ fault: error instanceof Error ? error.name : typeof error });
    throw error;
  }
}

/** What another process learns of the running span; empty while nobody traces. */
export function traceHeaders(): { traceparent?: string } {
  const traceparent = tracing && currentContext().traceparent;
  return traceparent === undefined ? {} : { traceparent };
}
