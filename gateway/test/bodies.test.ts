import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { request } from '@arboleda/chassis/testing/request.ts';
import { startTestGateway, type TestGateway } from './kit.ts';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
  gateway.stub.answerWith((incoming, response) => {
    incoming.on('end', () => response.end('{}')).resume();
  });
});
afterAll(() => gateway.close());

const LOGIN = 'POST /api/auth/customer/login';
const head = (headers: string[]) =>
  ['POST /api/auth/customer/login HTTP/1.1', 'Host: a', ...headers, '', ''].join('\r\n');

describe('a body', () => {
  test('that is announced as too large is refused before it is sent', async () => {
    const seen = gateway.stub.requests.length;
    const answer = await gateway.raw(head(['Content-Length: 2000000', 'Content-Type: application/json']));
    expect(answer).toMatch(/^HTTP\/1\.1 413/);
    expect(answer).toContain('"type":"body-too-large"');
    expect(answer).toMatch(/connection: close/i);
    expect(gateway.stub.requests.length).toBe(seen);
  });

  test('of 2 MB gets its answer although it is still being sent', async () => {
    const answer = await request(gateway.url, LOGIN, {
      body: { email: 'a@b.co', password: 'x'.repeat(2e6) },
    });
    expect(answer.status).toBe(413);
    expect(answer.body.type).toBe('body-too-large');
  });

  test('that hides its size is counted while it streams', async () => {
    const chunk = `2000\r\n${'x'.repeat(0x2000)}\r\n`;
    const answer = await gateway.raw(
      head(['Transfer-Encoding: chunked', 'Content-Type: application/json', 'Connection: close']) +
        chunk.repeat(20) +
        '0\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 413/);
    expect(gateway.stub.requests.every(({ body }) => body.length <= 100_000)).toBe(true);
  });

  test('in pieces that stays small arrives whole', async () => {
    const answer = await gateway.raw(
      head(['Transfer-Encoding: chunked', 'Content-Type: application/json', 'Connection: close']) +
        '2\r\n{}\r\n0\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200/);
    expect(gateway.stub.requests.at(-1)!.body).toBe('{}');
  });

  test('of an upload may be large', async () => {
    const form = new FormData();
    form.append('photos', new Blob([Buffer.alloc(5_000_000)]), 'tree.jpg');
    const answer = await request(gateway.url, 'POST /api/workers/assignments/{id}/photos', {
      params: { id: 'a1' },
      form,
    });
    expect(answer.status).toBe(200);
    expect(gateway.stub.requests.at(-1)!.body.length).toBeGreaterThan(5_000_000);
  });

  test('of an upload ends at 60 MB', async () => {
    const answer = await gateway.raw(
      'POST /api/workers/assignments/a1/photos HTTP/1.1\r\nHost: a\r\nContent-Length: 60000001\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 413/);
  });

  test('that waits for a go-ahead gets it, or the refusal in its place', async () => {
    const small = await gateway.raw(
      head(['Expect: 100-continue', 'Content-Length: 2', 'Connection: close']) + '{}',
    );
    expect(small).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200/);
    const large = await gateway.raw(head(['Expect: 100-continue', 'Content-Length: 200000']));
    expect(large).toMatch(/^HTTP\/1\.1 413/);
  });
});

describe('a request that two readers could split differently is refused', () => {
  const smuggled = 'GET /internal/jwks HTTP/1.1\r\nHost: a\r\n\r\n';
  test.each([
    ['length and chunks', ['Content-Length: 4', 'Transfer-Encoding: chunked'], `0\r\n\r\n${smuggled}`],
    ['chunks and length', ['Transfer-Encoding: chunked', 'Content-Length: 4'], `0\r\n\r\n${smuggled}`],
    ['two lengths', ['Content-Length: 0', 'Content-Length: 44'], smuggled],
    ['a length with a sign', ['Content-Length: +44'], smuggled],
    ['an unknown encoding', ['Transfer-Encoding: xchunked'], `0\r\n\r\n${smuggled}`],
    ['two encodings', ['Transfer-Encoding: chunked, identity'], `0\r\n\r\n${smuggled}`],
    ['gzip before chunks', ['Transfer-Encoding: gzip, chunked'], `0\r\n\r\n`],
    ['a space before the colon', ['Transfer-Encoding : chunked'], `0\r\n\r\n${smuggled}`],
    ['a folded header', ['Transfer-Encoding:', ' chunked'], `0\r\n\r\n${smuggled}`],
    ['a bare line feed', ['Content-Length: 0\nTransfer-Encoding: chunked'], `0\r\n\r\n${smuggled}`],
  ])('%s', async (_name, headers, body) => {
    const seen = gateway.stub.requests.length;
    const answer = await gateway.raw(head(headers) + body);
    expect(answer).toMatch(/^HTTP\/1\.1 400/);
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
    expect(gateway.stub.requests.length).toBe(seen);
  });

  test('headers without end are cut off', async () => {
    const answer = await gateway.raw(head([`X-Long: ${'x'.repeat(20_000)}`]));
    expect(answer).toMatch(/^HTTP\/1\.1 431/);
  });
});
