import { problemBody } from '@arboleda/chassis/http/problem.ts';
import type { Problem } from '@arboleda/contracts/problems.ts';
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { acceptedLanguage } from './caller/language.ts';
import { type Exchange, hasBody } from './exchange.ts';
import { applyHeaders } from './headers.ts';

/** Up to this head and answer leave in one piece. */
const ONE_PIECE_BYTES = 16_384;
/** How long a refused body is still read, so that its sender gets to see the answer. */
const LINGER_MS = 1_000;

/** Answers with problem+json in the caller's language; nothing happens when an answer is under way. */
export function sendProblem(exchange: Exchange, problem: Problem, headers: OutgoingHttpHeaders = {}): void {
  const language = acceptedLanguage(exchange.request.headers['accept-language']);
  const body = JSON.stringify(problemBody(problem, language, exchange.correlationId));
  sendBytes(exchange, problem.status, Buffer.from(body), {
    'Content-Type': 'application/problem+json; charset=utf-8',
    'Cache-Control': 'no-store',
    ...(problem.retryAfterSeconds && { 'Retry-After': problem.retryAfterSeconds }),
    // Where one message was doubtful, the next one's beginning is too.
    ...(problem.type === 'malformed-request' && { Connection: 'close' }),
    ...headers,
  });
}

/** Answers with bytes that are at hand. */
export function sendBytes(
  exchange: Exchange,
  status: number,
  bytes: Uint8Array,
  headers: OutgoingHttpHeaders,
): void {
  const { request, response } = exchange;
  if (response.headersSent) return void response.destroy();
  applyHeaders(exchange);
  const unread = hasBody(request) && !request.complete;
  response.writeHead(status, {
    ...headers,
    'Content-Length': bytes.length,
    ...(unread && { Connection: 'close' }),
  });
  if (request.method !== 'HEAD') response.write(bytes);
  if (unread) linger(exchange);
  else response.end();
}

/** Ends an answer with bytes that are not changed any more. */
export function endWith(response: ServerResponse, bytes: Buffer): void {
  if (bytes.length > ONE_PIECE_BYTES) response.end(bytes);
  // As text of the same bytes it leaves together with the head.
  else response.end(bytes.toString('latin1'), 'latin1');
}

/** Closing on a client that still sends would reset the connection before it read the answer. */
function linger({ request, response }: Exchange): void {
  const end = () => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(end, LINGER_MS);
  request.once('end', end).once('close', end).resume();
}
