import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestGateway, type TestGateway } from './harness.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

/** The smuggled request. */
const HIDDEN = 'GET /api/stats HTTP/1.1\r\nHost: x\r\n\r\n';
const CHUNKS = '2\r\n{}\r\n0\r\n\r\n';

const post = (headers: readonly string[], body: string, path = '/api/auth/customer/login') =>
  [`POST ${path} HTTP/1.1`, 'Host: x', 'Content-Type: application/json', ...headers, '', body].join('\r\n');
const get = (headers: readonly string[]) => ['GET /api/stats HTTP/1.1', ...headers, '', ''].join('\r\n');

/** Encoding headers before chunks, and lengths before two bytes. */
const encoded = (header: string) => post([header], CHUNKS + HIDDEN);
const long = (header: string) => post([header], `{}${HIDDEN}`);
const chunked = (chunks: string) => post(['Transfer-Encoding: chunked'], chunks + HIDDEN);

const statusesIn = (answer: string) => [...answer.matchAll(/HTTP\/1\.[01] (\d{3})/g)].map(([, code]) => code);

describe('what two readers could split differently ends its connection', () => {
  test.each<[string, string]>([
    ['length and chunks', post(['Content-Length: 6', 'Transfer-Encoding: chunked'], `0\r\n\r\n${HIDDEN}`)],
    [
      'chunks and length',
      post(
        ['Transfer-Encoding: chunked', 'Content-Length: 4'],
        `${HIDDEN.length.toString(16)}\r\n${HIDDEN}\r\n0\r\n\r\n`,
      ),
    ],
    ['two encodings, the second unknown', encoded('Transfer-Encoding: chunked\r\nTransfer-Encoding: cow')],
    ['two encodings, the first unknown', encoded('Transfer-Encoding: cow\r\nTransfer-Encoding: chunked')],
    ['the same encoding twice', encoded('Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked')],
    ['chunked and more', encoded('Transfer-Encoding: chunked, identity')],
    ['gzip before chunks', encoded('Transfer-Encoding: gzip, chunked')],
    ['xchunked', encoded('Transfer-Encoding: xchunked')],
    ['an encoding behind a tab', encoded('Transfer-Encoding:\tx, chunked\t, x')],
    ['an encoding behind a vertical tab', encoded('Transfer-Encoding: \x0bchunked')],
    ['an encoding in quotes', encoded('Transfer-Encoding: "chunked"')],
    ['a space before the colon', encoded('Transfer-Encoding : chunked')],
    ['identity', long('Transfer-Encoding: identity\r\nContent-Length: 2')],
    ['a folded encoding', long('Transfer-Encoding:\r\n chunked\r\nContent-Length: 2')],
    [
      'chunks in HTTP/1.0',
      encoded('Transfer-Encoding: chunked\r\nContent-Length: 2').replace('HTTP/1.1', 'HTTP/1.0'),
    ],
    ['two lengths', long('Content-Length: 2\r\nContent-Length: 40')],
    ['the same length twice', long('Content-Length: 2\r\nContent-Length: 2')],
    ['a list of lengths', long('Content-Length: 2, 2')],
    ['a length with a plus', long('Content-Length: +2')],
    ['a length below zero', long('Content-Length: -2')],
    ['a length in hex', long('Content-Length: 0x2')],
    ['a fraction for a length', long('Content-Length: 2.0')],
    ['a space inside a length', long('Content-Length: 2 2')],
    ['a length beyond counting', long('Content-Length: 99999999999999999999999')],
    ['a space behind the name of a length', long('Content-Length : 2')],
    ['an empty length', long('Content-Length:')],
    ['a folded header', get(['Host: x', 'X-Long: a', ' b'])],
    ['a folded Host', get(['Host:', ' x'])],
    ['bare line feeds between headers', 'GET /api/stats HTTP/1.1\nHost: x\nX-A: 1\n\n'],
    ['a bare line feed in a header', get(['Host: x', 'X-A: 1\nTransfer-Encoding: chunked'])],
    ['a bare carriage return in a header', get(['Host: x', 'X-A: 1\rX-B: 2'])],
    ['a null in a header', get(['Host: x', 'X-A: 1\0'])],
    ['a header without a colon', get(['Host: x', 'Nonsense'])],
    ['a header without a name', get(['Host: x', ': nonsense'])],
    ['a space before the first header', get([' Host: x'])],
    ['no Host', get(['X-A: 1'])],
    ['two Hosts', get(['Host: x', 'Host: y'])],
    ['a chunk without a size', chunked('xyz\r\n{}\r\n0\r\n\r\n')],
    ['a chunk of a negative size', chunked('-2\r\n{}\r\n0\r\n\r\n')],
    ['a chunk of a size beyond counting', chunked('fffffffffffffffff\r\n{}\r\n0\r\n\r\n')],
    ['a chunk longer than it says', chunked('2\r\n{}{}\r\n0\r\n\r\n')],
    ['a line feed in the extension of a chunk', chunked('2;a\n\r\n{}\r\n0\r\n\r\n')],
    ['a version that is none', get(['Host: x']).replace('HTTP/1.1', 'HTTP/9.9')],
    ['a version in small letters', get(['Host: x']).replace('HTTP/1.1', 'http/1.1')],
    ['no version', 'GET /api/stats\r\n\r\n'],
    ['a method that is none', get(['Host: x']).replace('GET', 'G\tET')],
    ['a space in the path', get(['Host: x']).replace('/api/stats', '/api/st ats')],
    ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['HTTP/2 without being asked', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ])('%s', async (_name, bytes) => {
    expect(statusesIn(await gateway.raw(bytes))).toEqual(['400']);
    expect(gateway.stub.requests.filter(({ url }) => url === '/api/stats')).toEqual([]);
  });

  test.each(['/', '/plant-trees', '/readyz', '/api/docs', '/api/nothing', '/assets/x.js'])(
    'also at %s, where a body is no second request',
    async (path) => {
      const both = ['Content-Length: 2', 'Transfer-Encoding: chunked'];
      expect(statusesIn(await gateway.raw(post(both, `0\r\n\r\n${HIDDEN}`, path)))).toEqual(['400']);
      const whole = post([`Content-Length: ${HIDDEN.length}`, 'Connection: close'], HIDDEN, path);
      expect(statusesIn(await gateway.raw(whole))).toHaveLength(1);
    },
  );
});

describe('a caller that goes on and on is cut off', () => {
  test.each([
    ['in its address', `GET /api/stats?${'q'.repeat(100_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
    ['in a header', get(['Host: x', `X-Long: ${'h'.repeat(20_000)}`])],
    ['with ten thousand headers', get(['Host: x', ...Array.from({ length: 10_000 }, () => 'X: 1')])],
  ])('%s', async (_where, bytes) => {
    expect(statusesIn(await gateway.raw(bytes))).toEqual([expect.stringMatching(/^(400|414|431)$/)]);
  });
});
