import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { type AddressInfo, createServer, connect, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { breakWhenSilent } from './silence.ts';

const HEARTBEAT = 12;
const JOIN_GROUP = 11;

let broker: Server;
let socket: Socket;
let answers: boolean;
beforeEach(async () => {
  answers = true;
  broker = createServer((peer) => peer.on('data', (asked) => answers && peer.write(asked)));
  broker.listen(0, '127.0.0.1');
  await once(broker, 'listening');
  socket = connect((broker.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  breakWhenSilent(socket, { silentMs: 100, patientMs: 400 });
});
afterEach(async () => {
  socket.destroy();
  await new Promise((resolve) => broker.close(resolve));
});

function ask(apiKey: number): void {
  const request = Buffer.alloc(14);
  request.writeInt32BE(10, 0);
  request.writeInt16BE(apiKey, 4);
  socket.write(request);
}

test('a connection breaks when what was asked is not answered', async () => {
  answers = false;
  ask(HEARTBEAT);
  const [error] = (await once(socket, 'error')) as [Error];
  expect((error as Error).message).toBe('nothing was heard for 100 ms');
});

test('it stays while it is answered, and while nothing is asked', async () => {
  for (let turn = 0; turn < 5; turn++) {
    ask(HEARTBEAT);
    await once(socket, 'data');
    await sleep(50);
  }
  await sleep(200);
  expect(socket.destroyed).toBe(false);
});

test('a group may take longer to gather', async () => {
  answers = false;
  ask(JOIN_GROUP);
  await sleep(250);
  expect(socket.destroyed).toBe(false);
  const [error] = (await once(socket, 'error')) as [Error];
  expect((error as Error).message).toBe('nothing was heard for 400 ms');
});
