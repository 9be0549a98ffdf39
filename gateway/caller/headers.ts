import { VISITOR_COUNTRY_HEADER } from '@arboleda/contracts/visitor.ts';
import type { IncomingHttpHeaders } from 'node:http';
import { SECURITY_HEADER_NAMES } from '../headers.ts';

/**
 * What of a caller's headers reaches a service. Everything else stays outside: forwarding headers, cookies, method
 * and URL overrides, hop-by-hop headers, and whatever somebody invents next.
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
  /** Set when the peer is a trusted CDN that tells the country in this header. */
  countryHeader: string | undefined;
  /** Of the gateway's own span, while somebody traces. */
  traceparent?: string | undefined;
}

/** The headers a service gets: the caller's known ones, and what the gateway knows for certain. */
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

/** Headers of a service's answer that tell of the inside, that end with its hop, or that only the gateway may set. */
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

/** Names and values in turn: what of a service's headers the caller gets. */
export function answerHeaders(status: number, headers: IncomingHttpHeaders): string[] {
  const head: string[] = [];
  for (const name in headers) {
    // How long the message is on this hop is said anew, and what has no content has no length.
    if (WITHHELD_HEADERS.has(name) || name === 'transfer-encoding') continue;
    if (status === 204 && name === 'content-length') continue;
    const value = headers[name]!;
    if (typeof value === 'string') head.push(name, value);
    else for (const one of value) head.push(name, one);
  }
  return head;
}
