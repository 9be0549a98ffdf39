import { afterEach, describe, expect, test } from '@jest/globals';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { httpRates } from './http-rates.ts';

let server: Server | undefined;

async function providerThatSays(listener: RequestListener) {
  server = createServer(listener).listen(0, '127.0.0.1');
  await new Promise((resolve) => server!.once('listening', resolve));
  return httpRates(`http://127.0.0.1:${(server.address() as AddressInfo).port}/latest?base=USD`);
}

const says = (body: unknown, status = 200) =>
  providerThatSays((_request, response) => {
    response.writeHead(status, { 'Content-Type': 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

describe('a provider of rates', () => {
  test('is read, without the currencies that nobody is charged in', async () => {
    const provider = await says({
      base: 'USD',
      date: '2026-11-20',
      rates: { COP: 4020.5, EUR: 0.86, ISK: 127.1 },
    });
    expect(await provider.fetch()).toEqual({
      asOf: '2026-11-20',
      source: '127.0.0.1',
      rates: { COP: 4020.5, EUR: 0.86 },
    });
  });

  test.each([
    ['another base', { base: 'EUR', date: '2026-11-20', rates: { COP: 4700 } }],
    ['no day', { base: 'USD', rates: { COP: 4020 } }],
    ['a day that is none', { base: 'USD', date: 'today', rates: { COP: 4020 } }],
    ['a rate in words', { base: 'USD', date: '2026-11-20', rates: { COP: 'much' } }],
    ['no rates', { base: 'USD', date: '2026-11-20' }],
    ['a web page', '<html>Welcome</html>'],
    ['too much', JSON.stringify('x'.repeat(200_000))],
  ])('that answers %s is not believed', async (_what, body) => {
    await expect((await says(body)).fetch()).rejects.toThrow();
  });

  test('that fails is not believed, whatever it says', async () => {
    const provider = await says({ base: 'USD', date: '2026-11-20', rates: {} }, 500);
    await expect(provider.fetch()).rejects.toThrow('500');
  });

  test('that hangs up is an error', async () => {
    const provider = await providerThatSays((request) => request.socket.destroy());
    await expect(provider.fetch()).rejects.toThrow();
  });
});
