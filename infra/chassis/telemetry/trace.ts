import { currentContext, withContext } from '../context.ts';
import { ORDER_ATTRIBUTE, type SpanAttribute } from './names.ts';

export type SpanAttributes = Partial<Record<SpanAttribute, string | number>>;

/** The start of a span, in OpenTelemetry's terms. */
export interface SpanStart {
  /** A route, or one of SPANS in names.ts: few different values, never an id. */
  name: string;
  kind: 'server' | 'client' | 'producer' | 'consumer' | 'internal';
  /** The service that does the work; the parent's or the process's when absent. */
  service?: string | undefined;
  /** The parent's traceparent. */
  parent?: string | undefined;
  /** Ids, kinds and counts only, no personal data. */
  attributes?: SpanAttributes;
}

export interface SpanEnd {
  /** Set when it is known only at the end. */
  name?: string;
  attributes?: SpanAttributes;
  /** Kind of the error that ended it. */
  fault?: string | undefined;
}

export interface OpenSpan {
  /** https://www.w3.org/TR/trace-context/#traceparent-header */
  traceparent: string;
  end(how?: SpanEnd): void;
}

/** Trace id, span id and flags of a traceparent. */
export const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** Implemented in open-telemetry.ts. */
export interface Tracing {
  open(start: SpanStart): OpenSpan;
  /** Links an open span, by its traceparent, to a span of another trace. */
  link(traceparent: string, to: string): void;
  /** Ended spans that no collector took. */
  dropped(): number;
  stop(): Promise<void>;
}

export const orderAttributes = (orderId: string | undefined): SpanAttributes =>
  orderId === undefined ? {} : { [ORDER_ATTRIBUTE]: orderId };

let tracing: Tracing | undefined;

/** This module does not load OpenTelemetry: without tracing, a span costs reading one variable. */
export const setTracing = (chosen: Tracing | undefined): void => void (tracing = chosen);
export const isTraced = (): boolean => tracing !== undefined;
/** Spans of this process that no collector took. */
export const droppedSpans = (): number => tracing?.dropped() ?? 0;

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
    span.end({ fault: nameOf(error) });
    throw error;
  }
}

/**
 * Wraps an engine, so that calls of these operations are spans below the one that makes them. Pollers, which run in no
 * trace, open none.
 */
export function tracedCalls<T extends object>(
  engine: T,
  operations: readonly (keyof T & string)[],
  start: (operation: string) => SpanStart,
): T {
  const wrap = (operation: keyof T & string) => {
    const call = engine[operation] as (...args: unknown[]) => Promise<unknown>;
    const wrapped = (...args: unknown[]) =>
      inTrace(start(operation), currentContext().traceparent, () => call(...args));
    return [operation, wrapped] as const;
  };
  return { ...engine, ...Object.fromEntries(operations.map(wrap)) };
}

/** A span that has no children; none without a trace to belong to. */
export async function inTrace<T>(
  start: SpanStart,
  parent: string | undefined,
  run: () => Promise<T>,
): Promise<T> {
  const span = parent === undefined ? undefined : tracing?.open({ ...start, parent });
  if (!span) return run();
  try {
    const result = await run();
    span.end();
    return result;
  } catch (error) {
    span.end({ fault: nameOf(error) });
    throw error;
  }
}

/** Error messages may contain personal data. */
const nameOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error);

/** Stored with what begins in this trace: see linkTrace. Undefined without tracing. */
export const currentTraceparent = (): string | undefined => tracing && currentContext().traceparent;

/** Headers that continue the current trace; empty without tracing. */
export function traceHeaders(): { traceparent?: string } {
  const traceparent = currentTraceparent();
  return traceparent === undefined ? {} : { traceparent };
}

/** Links the current span to the trace in which the payment, order or assignment that it is about began. */
export function linkTrace(began: string | null | undefined): void {
  const current = currentTraceparent();
  if (!began || !current || traceIdOf(began) === traceIdOf(current)) return;
  tracing?.link(current, began);
}

const traceIdOf = (traceparent: string): string | undefined => TRACEPARENT.exec(traceparent)?.[1];
