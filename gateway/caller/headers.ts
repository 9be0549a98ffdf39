import { VISITOR_COUNTRY_HEADER } from '@arboleda/contracts/visitor.ts';
import type { IncomingHttpHeaders } from 'node:http';
import { SECURITY_HEADER_NAMES } from '../headers.ts';

/**
 * Request headers forwarded to services. All others are dropped: forwarding headers, cookies, method and URL
 * overrides, hop-by-hop headers, and unknown ones.
 */
const FORWARDED = [
  'accept',
  'accept-language',
  'authorization',
  'content-length',
  'content-type',
  'idempotency-key',
  'if-match',
  'if-none-match',
  'if-range',
  'range',
  'stripe-signature',
  'transfer-encoding',
  'user-agent',
] as const;

export interface CallerFacts {
  correlationId: string;
  address: string;
  /** Set when the peer is a trusted CDN that sends the country in this header. */
  countryHeader: string | undefined;
  /** The gateway's own span, while tracing is on. */
  traceparent?: string | undefined;
}

/** Headers for a service: the caller's allowed ones, and the gateway's facts. */
export function upstreamHeaders(headers: IncomingHttpHeaders, facts: CallerFacts): IncomingHttpHeaders {
  const outgoing: IncomingHttpHeaders = {};
  for (const name of FORWARDED) {
    const value = headers[name];
    if (value !== undefined) outgoing[name] = value as string;
  }
  outgoing['x-correlation-id'] = facts.correlationId;
  outgoing['x-forwarded-for'] = facts.address;
  if (facts.traceparent) outgoing.traceparent = facts.traceparent;
  const country = facts.countryHeader && headers[facts.countryHeader];
  if (country) outgoing[VISITOR_COUNTRY_HEADER] = country;
  return outgoing;
}

/** Response headers that reveal internals, are hop-by-hop, or are set by the gateway. */
export const WITHHELD_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'date',
  'keep-alive',
  'proxy-authenticate',
  'trailer',
  'upgrade',
  'server',
  'via',
  'x-powered-by',
  'x-correlation-id',
  'ratelimit-policy',
  'ratelimit-limit',
  'ratelimit-remaining',
  'ratelimit-reset',
  'access-control-allow-origin',
  'access-control-allow-credentials',
  'access-control-allow-headers',
  'access-control-allow-methods',
  ...SECURITY_HEADER_NAMES,
]);

/** Response headers for the caller, alternating names and values. */
export function answerHeaders(status: number, headers: IncomingHttpHeaders): string[] {
  const head: string[] = [];
  for (const name in headers) {
    // Framing is set per hop, and an answer without content has no length.
    if (WITHHELD_HEADERS.has(name) || name === 'transfer-encoding') continue;
    if (status === 204 && name === 'content-length') continue;
    const value = headers[name]!;
    if (typeof value === 'string') head.push(name, value);
    else for (const one of value) head.push(name, one);
  }
  return head;
}
