import type { Report } from '../frame/topic.ts';
import type { Answer, Echo } from './echo.ts';

/** Internals that no answer may show, even of a failing service. */
const INSIDE =
  'Error: connect ECONNREFUSED 10.0.0.7:5432\n    at Socket.<anonymous> (/app/services/orders/store.ts:7:3)';
const HEADERS = {
  Server: 'inside/1.0',
  'X-Powered-By': 'Express',
  Via: '1.1 orders-7f9c',
  'X-Correlation-Id': 'inside',
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Credentials': 'true',
  'Content-Security-Policy': 'default-src *',
  'X-Frame-Options': 'ALLOWALL',
  'Strict-Transport-Security': 'max-age=0',
};

const TROUBLES: Record<string, Answer> = {
  'a page with its stack': (_q, r) =>
    void r.writeHead(500, { ...HEADERS, 'Content-Type': 'text/html' }).end(INSIDE),
  'JSON with its stack': (_q, r) =>
    void r
      .writeHead(503, { ...HEADERS, 'Content-Type': 'application/json' })
      .end(JSON.stringify({ stack: INSIDE })),
  'no status that exists': (_q, r) => void r.socket?.end('HTTP/1.1 999 Odd\r\n\r\n' + INSIDE),
  'no HTTP': (_q, r) => void r.socket?.end(INSIDE),
  'headers without end': (_q, r) =>
    void r.socket?.end(`HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(200_000)}\r\n\r\n`),
  'a connection that is cut': (_q, r) => void r.socket?.destroy(),
  'two answers': (_q, r) =>
    void r.socket?.end(
      'HTTP/1.1 500 Bad\r\nContent-Length: 2\r\n\r\n{}HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nhidden',
    ),
  'both lengths': (_q, r) =>
    void r.socket?.end(
      `HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\nHTTP/1.1 200 OK\r\n\r\nhidden`,
    ),
};

/** A service in trouble is spoken for; one that is well cannot loosen what protects visitors. */
export async function leaks({ gateway, answerWith }: Echo, { check }: Report): Promise<void> {
  for (const [name, trouble] of Object.entries(TROUBLES)) {
    answerWith(trouble);
    const response = await fetch(`${gateway.url}/api/stats`);
    const text = await response.text();
    check(
      `${name}: is a problem`,
      response.status >= 500 &&
        response.headers.get('content-type')?.startsWith('application/problem+json') === true,
      response.status,
    );
    const told = /ECONN|10\.0\.0\.7|services\/orders|127\.0\.0\.1|stack|hidden|node:internal/.exec(
      text + JSON.stringify([...response.headers]),
    )?.[0];
    check(`${name}: tells nothing`, told === undefined, told);
  }
  answerWith((_request, response) => void response.writeHead(200, HEADERS).end('{}'));
  const { headers } = await fetch(`${gateway.url}/api/stats`);
  for (const name of [
    'server',
    'x-powered-by',
    'via',
    'access-control-allow-origin',
    'access-control-allow-credentials',
  ]) {
    check(`a service’s ${name} stays inside`, !headers.has(name), headers.get(name));
  }
  check(
    'a service cannot loosen the policy',
    headers.get('content-security-policy')?.includes("default-src 'none'") === true,
  );
  check('a service cannot allow frames', headers.get('x-frame-options') === 'DENY');
  check('a service cannot turn HSTS off', headers.get('strict-transport-security') !== 'max-age=0');
  check('a service’s correlation id is not the caller’s', headers.get('x-correlation-id') !== 'inside');
}
