import type { Report } from '../frame/topic.ts';
import type { Echo } from './echo.ts';
import { speak } from './raw.ts';

const EVIL = 'evil.example';

/** Headers with claims about the caller. None may reach a service. */
const CLAIMS: Record<string, string> = {
  'X-Forwarded-For': '203.0.113.9',
  'X-Forwarded-Host': EVIL,
  'X-Forwarded-Proto': 'https',
  'X-Forwarded-Port': '1',
  'X-Forwarded-Prefix': '/evil',
  'X-Forwarded-Server': EVIL,
  Forwarded: `for=203.0.113.9;host=${EVIL};proto=https`,
  'X-Real-IP': '203.0.113.9',
  'X-Client-IP': '203.0.113.9',
  'True-Client-IP': '203.0.113.9',
  'CF-Connecting-IP': '203.0.113.9',
  'CF-IPCountry': 'CO',
  'X-Country': 'CO',
  'X-Correlation-Id': 'chosen-by-the-caller',
  'X-Request-Id': 'chosen-by-the-caller',
  Traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  'X-HTTP-Method-Override': 'DELETE',
  'X-HTTP-Method': 'DELETE',
  'X-Method-Override': 'DELETE',
  'X-Original-URL': '/internal/accounts',
  'X-Rewrite-URL': '/internal/accounts',
  'X-Original-Host': EVIL,
  'X-Host': EVIL,
  'X-User-Id': 'admin',
  'X-Role': 'admin',
  'X-Internal': 'true',
  Cookie: 'token=x',
  'Proxy-Authorization': 'Basic eA==',
  'Proxy-Connection': 'keep-alive',
  TE: 'trailers',
  Trailer: 'Authorization',
  'Keep-Alive': 'timeout=9999',
  'Max-Forwards': '0',
  'X-Arboleda': 'x',
};

export async function claims({ gateway, heard }: Echo, { check }: Report): Promise<void> {
  heard();
  const lines = Object.entries(CLAIMS).map(([name, value]) => `${name}: ${value}`);
  await speak(
    gateway.url,
    ['GET /api/stats HTTP/1.1', `Host: ${EVIL}`, 'Authorization: Bearer x', ...lines, '', ''].join('\r\n'),
  );
  const [seen] = heard();
  for (const [name, value] of Object.entries(CLAIMS)) {
    const held = seen?.headers[name.toLowerCase()];
    check(`${name} is not passed on as it came`, seen !== undefined && held !== value, held);
  }
  check(
    'Host is the service’s own',
    seen?.headers.host?.startsWith('127.0.0.1') === true,
    seen?.headers.host,
  );
  check(
    'the caller’s address is what the gateway sees',
    seen?.headers['x-forwarded-for'] === '127.0.0.1',
    seen?.headers['x-forwarded-for'],
  );
  check(
    'the correlation id is the gateway’s',
    /^[\da-f-]{36}$/.test(String(seen?.headers['x-correlation-id'])),
    seen?.headers['x-correlation-id'],
  );
  check('the method is the one that was used', seen?.method === 'GET', seen?.method);

  await speak(
    gateway.url,
    'GET /api/stats HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer mine\r\nConnection: close, Authorization, X-Forwarded-For, X-Correlation-Id\r\n\r\n',
  );
  const [hop] = heard();
  check(
    'Connection takes no header away from the service',
    hop?.headers.authorization === 'Bearer mine' && hop.headers['x-forwarded-for'] === '127.0.0.1',
    hop?.headers,
  );
  check(
    'Connection is not passed on',
    !/authorization/i.test(String(hop?.headers.connection)),
    hop?.headers.connection,
  );
}

/** Paths that one reader may take for another's: none reaches a service. */
const PATHS = [
  '/api/../internal/jwks',
  '/api/%2e%2e/internal/jwks',
  '/api/%2E%2E%2Finternal%2Fjwks',
  '/api/..%2finternal/jwks',
  '/api/.%2e/internal/jwks',
  '/api/%252e%252e/internal/jwks',
  '/api/..%5cinternal%5cjwks',
  '/api/..\\internal\\jwks',
  '/api/..;/internal/jwks',
  '/api/;/../internal/jwks',
  '/api/stats;x=1',
  '/api/stats/..',
  '/api/./stats',
  '/api//stats',
  '//api/stats',
  '/api/stats%00',
  '/api/stats%0d%0aX:1',
  '/api/stats%20',
  '/api/stats%3fx=1',
  '/api/stats%23',
  '/api/stats/',
  '/API/stats',
  '/api/STATS',
  '/api/%73tats',
  '/api/stats%2f',
  '/api/stats.json',
  '/api/stats%c0%ae',
  '/api/%c0%ae%c0%ae/internal/jwks',
  '/api/photos/..%2f..%2fetc%2fpasswd',
  '/api/photos/%00.jpg',
  '/api/track/..%2f..%2finternal%2fjwks',
  '/internal/jwks',
  '/internal/accounts',
  '/internal/ended-sessions',
  '/metrics',
  '/livez/../metrics',
  '/api/metrics',
  '/api/internal/jwks',
  '/api/livez',
  '/api',
  '/api/',
  '/api/nothing',
  '/.env',
  '/.git/config',
  '/api/.env',
  '/package.json',
  '/api/graphql',
  '/api/v1/stats',
  '/server-status',
  '/api/stats?x=1/../../internal',
];

/** Legitimate calls among them: a query is no path, and letters may be percent-encoded. */
const IS_A_CALL = new Set(['/api/stats?x=1/../../internal']);

export async function paths({ gateway, heard }: Echo, { check }: Report): Promise<void> {
  for (const path of PATHS) {
    heard();
    const { statuses, text } = await speak(
      gateway.url,
      `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    );
    const reached = heard().map(({ url }) => url);
    const isDeclared = IS_A_CALL.has(path);
    check(`${path} reaches no service`, isDeclared || reached.length === 0, reached);
    check(`${path} is answered plainly`, [200, 400, 404].includes(statuses[0] ?? 0), text.slice(0, 200));
    check(
      `${path} shows no file of ours`,
      !/root:|"dependencies"|\[core\]|SERVICE_KEY|process_cpu/.test(text),
    );
  }
  const forms = {
    'an absolute address': 'GET http://127.0.0.1:1/internal/jwks HTTP/1.1\r\nHost: x',
    'an absolute address of ours': `GET ${gateway.url}/internal/jwks HTTP/1.1\r\nHost: ${EVIL}`,
    'an address of the cloud’s own data': 'GET http://169.254.169.254/latest/meta-data HTTP/1.1\r\nHost: x',
    'an authority': 'CONNECT 127.0.0.1:22 HTTP/1.1\r\nHost: 127.0.0.1:22',
    'an asterisk': 'OPTIONS * HTTP/1.1\r\nHost: x',
    'a file': 'GET file:///etc/passwd HTTP/1.1\r\nHost: x',
    TRACE: 'TRACE /api/stats HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer secret',
    'a web socket':
      'GET /api/stats HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    'HTTP/2 in the clear':
      'GET /api/stats HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__',
    'a made-up method': 'JEFF /api/stats HTTP/1.1\r\nHost: x',
    'a method of file servers': 'PROPFIND /api/stats HTTP/1.1\r\nHost: x',
  };
  for (const [name, head] of Object.entries(forms)) {
    const { statuses, text } = await speak(gateway.url, `${head}\r\n\r\n`);
    const inside = heard().filter(({ url }) => url !== '/api/stats');
    check(
      `${name}: reaches nothing inside`,
      inside.length === 0,
      inside.map(({ url }) => url),
    );
    check(
      `${name}: opens no tunnel and repeats nothing`,
      statuses[0] !== 101 && !text.includes('Bearer secret') && !/root:/.test(text),
      text.slice(0, 200),
    );
  }
}
