import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import { type AddressInfo, connect, Socket } from 'node:net';
import { Readable } from 'node:stream';
import { ConnectFirstAgent } from './connect-first.ts';

let server: Server;
let agent: ConnectFirstAgent | undefined;
beforeEach(async () => {
  server = createServer((incoming, response) => void incoming.pipe(response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  agent?.destroy();
  server.close();
});
const portOf = () => (server.address() as AddressInfo).port;

/** Sends a body as the proxy does: once there is a connection. */
function send(port: number, body: Readable) {
  const call = request({ host: '127.0.0.1', port, method: 'POST', agent });
  call.once('socket', () => body.pipe(call));
  return call;
}

test('a call gets its connection and is answered', async () => {
  agent = new ConnectFirstAgent({ keepAlive: true });
  const [response] = await once(send(portOf(), Readable.from(['ñandú'])), 'response');
  expect(Buffer.concat(await response.toArray()).toString()).toBe('ñandú');
});

test('the next call takes the same connection', async () => {
  let opened = 0;
  agent = new ConnectFirstAgent({ keepAlive: true }, (options) => {
    opened += 1;
    return connect(options);
  });
  for (const text of ['a', 'b']) {
    const [response] = await once(send(portOf(), Readable.from([text])), 'response');
    await response.toArray();
  }
  expect(opened).toBe(1);
});

test('nothing of a body is read when there is nobody to send it to', async () => {
  agent = new ConnectFirstAgent({ keepAlive: true });
  const port = portOf();
  server.close();
  const body = Readable.from(['precious']);
  const [error] = await once(send(port, body), 'error');
  expect(error.code).toBe('ECONNREFUSED');
  expect(await body.toArray()).toEqual(['precious']);
});

test('an address that does not even refuse is given up after a second', async () => {
  jest.useFakeTimers();
  try {
    const silent = new Socket();
    agent = new ConnectFirstAgent({ keepAlive: true }, () => silent);
    const failed = once(send(portOf(), Readable.from([])), 'error');
    jest.advanceTimersByTime(999);
    expect(silent.destroyed).toBe(false);
    jest.advanceTimersByTime(1);
    expect(silent.destroyed).toBe(true);
    const [error] = await failed;
    expect(error.code).toBe('ETIMEDOUT');
  } finally {
    jest.useRealTimers();
  }
});
