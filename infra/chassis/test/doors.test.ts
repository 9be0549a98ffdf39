import { afterEach, expect, test } from '@jest/globals';
import { Agent, createServer, get } from 'node:http';
import { openDoors } from '../http/doors.ts';

/** Of a busy process. */
const TURN_MS = 20;
const CALLERS = 100;

let isBusy = false;
afterEach(() => void (isBusy = false));

/** Turns of the event loop are long from now on. */
function beBusy(): void {
  isBusy = true;
  const turn = () => {
    for (const until = performance.now() + TURN_MS; performance.now() < until;);
    if (isBusy) setImmediate(turn);
  };
  turn();
}

test('a busy process takes many new connections in one turn', async () => {
  const server = createServer((_request, response) => response.end('taken'));
  const doors = await openDoors(server, { port: 0, host: '127.0.0.1' });
  const agent = new Agent();
  const call = () =>
    new Promise<number>((resolve, reject) => {
      get({ host: '127.0.0.1', port: doors.port, agent }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode ?? 0));
      }).on('error', reject);
    });
  let turns = 0;
  const counting = setInterval(() => turns++, 1);
  const calling = Promise.all(Array.from({ length: CALLERS }, call));
  beBusy();
  expect(new Set(await calling)).toEqual(new Set([200]));
  clearInterval(counting);
  isBusy = false;
  // One connection a turn would take as many turns as there are callers.
  expect(turns).toBeLessThan(CALLERS / 2);
  await doors.close();
});

test('a port that somebody has is refused, also when they would share it', async () => {
  const first = await openDoors(createServer(), { port: 0, host: '127.0.0.1' });
  await expect(openDoors(createServer(), { port: first.port, host: '127.0.0.1' })).rejects.toMatchObject({
    code: 'EADDRINUSE',
  });
  await first.close();
});

test('what was taken is finished before it is closed, and then nobody is taken any more', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let inHand = 0;
  const server = createServer((_request, response) => {
    inHand++;
    void released.then(() => response.setHeader('connection', 'close').end());
  });
  const doors = await openDoors(server, { port: 0, host: '127.0.0.1' });
  const url = `http://127.0.0.1:${doors.port}`;
  const calls = Array.from({ length: 40 }, () => fetch(url));
  while (inHand < calls.length) await new Promise((resolve) => setImmediate(resolve));
  const closing = doors.close();
  release();
  expect((await Promise.all(calls)).every(({ ok }) => ok)).toBe(true);
  await closing;
  await expect(fetch(url)).rejects.toThrow();
});
