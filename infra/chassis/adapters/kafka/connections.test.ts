import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Kafka, logLevel } from 'kafkajs';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { freePort } from '../../testing/free-port.ts';
import { gate } from '../../testing/gate.ts';
import { waitFor } from '../../testing/wait.ts';
import type { Outgoing } from './client.ts';
import { breakWhenSilent, openConnections, renewable } from './connections.ts';
import { sendInBatches } from './batching.ts';

describe('a silent broker', () => {
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
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    breakWhenSilent(socket, { silentMs: 100, patientMs: 400 });
  });

  afterEach(async () => {
    jest.useRealTimers();
    socket.destroy();
    await new Promise((resolve) => broker.close(resolve));
  });

  function ask(apiKey: number): void {
    const request = Buffer.alloc(14);
    request.writeInt32BE(10, 0);
    request.writeInt16BE(apiKey, 4);
    socket.write(request);
  }

  test('breaks the connection when a request is not answered', async () => {
    answers = false;
    ask(HEARTBEAT);
    const broken = once(socket, 'error') as Promise<[Error]>;
    jest.advanceTimersByTime(100);
    expect((await broken)[0].message).toBe('nothing was received for 100 ms');
  });

  test('keeps the connection while requests are answered or none is sent', async () => {
    for (let turn = 0; turn < 5; turn++) {
      ask(HEARTBEAT);
      await once(socket, 'data');
      jest.advanceTimersByTime(50);
    }
    jest.advanceTimersByTime(200);
    expect(socket.destroyed).toBe(false);
  });

  test('allows more time for a rebalance', async () => {
    answers = false;
    ask(JOIN_GROUP);
    jest.advanceTimersByTime(399);
    expect(socket.destroyed).toBe(false);
    const broken = once(socket, 'error') as Promise<[Error]>;
    jest.advanceTimersByTime(1);
    expect((await broken)[0].message).toBe('nothing was received for 400 ms');
  });
});

test('a client that keeps connecting gives up after end, and opens no other connection', async () => {
  // A port without a listener.
  const { end, brokers, socketFactory } = openConnections([`127.0.0.1:${await freePort()}`]);
  let opened = 0;
  const counted: typeof socketFactory = (to) => {
    const socket = socketFactory(to);
    opened++;
    return socket;
  };
  const retry = { initialRetryTime: 10, maxRetryTime: 10, retries: 10_000 };
  const kafka = new Kafka({ brokers, socketFactory: counted, retry, logLevel: logLevel.NOTHING });
  const failure = kafka
    .admin()
    .connect()
    .catch((error: unknown) => error);
  await waitFor(() => opened >= 3);
  end();
  const before = opened;
  expect(await failure).toBeInstanceOf(Error);
  expect(opened).toBe(before);
});

describe('a renewable resource', () => {
  function counted() {
    const shut: number[] = [];
    let opened = 0;
    const it = renewable(async () => {
      const mine = ++opened;
      return { it: mine, shut: async () => void shut.push(mine) };
    });
    return { it, shut };
  }

  test('is opened once while it works', async () => {
    const { it, shut } = counted();
    expect(await it.use(1_000, async (n) => n)).toBe(1);
    expect(await it.use(1_000, async (n) => n)).toBe(1);
    await it.close();
    expect(shut).toEqual([1]);
  });

  test('is closed and opened again after a failure', async () => {
    const { it, shut } = counted();
    const broken = it.use(1_000, () => Promise.reject(new Error('broken')));
    await expect(broken).rejects.toThrow('broken');
    expect(await it.use(1_000, async (n) => n)).toBe(2);
    expect(shut).toEqual([1]);
  });

  test('stays open when two uses of its predecessor fail', async () => {
    const { it, shut } = counted();
    const fail = () => it.use(1_000, () => Promise.reject(new Error('broken')));
    await Promise.allSettled([fail(), fail()]);
    expect(await it.use(1_000, async (n) => n)).toBe(2);
    expect(shut).toEqual([1]);
  });

  test('is opened again when opening failed', async () => {
    let tries = 0;
    const it = renewable(async () => {
      if (++tries === 1) throw new Error('away');
      return { it: 'here', shut: async () => undefined };
    });
    await expect(it.use(1_000, async (found) => found)).rejects.toThrow('away');
    expect(await it.use(1_000, async (found) => found)).toBe('here');
  });

  test('times out when it does not answer', async () => {
    const { it } = counted();
    await expect(it.use(5, () => new Promise(() => undefined))).rejects.toThrow('no answer within 5 ms');
    expect(await it.use(1_000, async (n) => n)).toBe(2);
  });

  test('is not opened again after closing', async () => {
    const { it, shut } = counted();
    await it.close();
    await expect(it.use(1_000, async (n) => n)).rejects.toThrow('closed');
    expect(shut).toEqual([]);
  });
});

describe('sending messages', () => {
  const message = (value: string): Outgoing => ({ topic: 't', key: 'k', value });

  /** Records the batches; each is stored when its gate opens. */
  function aSender() {
    const gates = [gate()];
    const sent: string[] = [];
    const send = sendInBatches(async (messages) => {
      const mine = gates.at(-1)!;
      gates.push(gate());
      sent.push(messages.map(({ value }) => value!.slice(0, 1)).join(''));
      await mine.opened;
    });
    return { sent, send: (value: string) => send([message(value)]), gates };
  }

  test('sends one batch at a time, in order, and batches messages that arrive meanwhile', async () => {
    const { sent, send, gates } = aSender();
    const first = send('a');
    await waitFor(() => sent.length === 1);
    const others = ['b', 'c', 'd'].map(send);
    await new Promise(setImmediate);
    expect(sent).toEqual(['a']);
    gates[0]!.open();
    await first;
    await waitFor(() => sent.length === 2);
    expect(sent).toEqual(['a', 'bcd']);
    gates[1]!.open();
    await Promise.all(others);
  });

  test('limits a batch to what a broker accepts, and sends a big message alone', async () => {
    const { sent, send, gates } = aSender();
    const all = ['a', 'b'.repeat(300_000), 'c'.repeat(300_000), 'd'.repeat(500_000), 'e'].map(send);
    for (let n = 0; n < 4; n++) {
      await waitFor(() => sent.length === n + 1);
      gates[n]!.open();
    }
    await Promise.all(all);
    expect(sent).toEqual(['ab', 'c', 'd', 'e']);
  });

  test('fails the whole batch, and goes on with the next', async () => {
    let tries = 0;
    const send = sendInBatches(async () => {
      if (++tries === 1) throw new Error('away');
    });
    const results = await Promise.allSettled([send([message('a')]), send([message('b')])]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(send([message('c')])).resolves.toBeUndefined();
  });
});
