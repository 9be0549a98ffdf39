import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Kafka, logLevel } from 'kafkajs';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { freePort } from '../../testing/free-port.ts';
import { gate } from '../../testing/gate.ts';
import { waitFor } from '../../testing/wait.ts';
import type { Outgoing } from './client.ts';
import { breakWhenSilent, openConnections, renewable } from './connections.ts';
import { gather } from './gather.ts';

describe('a broker that says nothing', () => {
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

  test('a connection breaks when what was asked is not answered', async () => {
    answers = false;
    ask(HEARTBEAT);
    const broken = once(socket, 'error') as Promise<[Error]>;
    jest.advanceTimersByTime(100);
    expect((await broken)[0].message).toBe('nothing was heard for 100 ms');
  });

  test('it stays while it is answered, and while nothing is asked', async () => {
    for (let turn = 0; turn < 5; turn++) {
      ask(HEARTBEAT);
      await once(socket, 'data');
      jest.advanceTimersByTime(50);
    }
    jest.advanceTimersByTime(200);
    expect(socket.destroyed).toBe(false);
  });

  test('a group may take longer to gather', async () => {
    answers = false;
    ask(JOIN_GROUP);
    jest.advanceTimersByTime(399);
    expect(socket.destroyed).toBe(false);
    const broken = once(socket, 'error') as Promise<[Error]>;
    jest.advanceTimersByTime(1);
    expect((await broken)[0].message).toBe('nothing was heard for 400 ms');
  });
});

test('a client that still tries to connect gives up at the end, and opens no other connection', async () => {
  // Where nobody listens.
  const { end, brokers, socketFactory } = openConnections([`127.0.0.1:${await freePort()}`]);
  let opened = 0;
  const counted: typeof socketFactory = (to) => {
    const socket = socketFactory(to);
    opened++;
    return socket;
  };
  const retry = { initialRetryTime: 10, maxRetryTime: 10, retries: 10_000 };
  const kafka = new Kafka({ brokers, socketFactory: counted, retry, logLevel: logLevel.NOTHING });
  const failure = kafka.admin().connect().catch((error: unknown) => error); // prettier-ignore
  await waitFor(() => opened >= 3);
  end();
  const before = opened;
  expect(await failure).toBeInstanceOf(Error);
  expect(opened).toBe(before);
});

describe('something renewable', () => {
  function counted() {
    const shut: number[] = [];
    let opened = 0;
    const it = renewable(async () => {
      const mine = ++opened;
      return { it: mine, shut: async () => void shut.push(mine) };
    });
    return { it, shut };
  }

  test('what works is opened once', async () => {
    const { it, shut } = counted();
    expect(await it.use(1_000, async (n) => n)).toBe(1);
    expect(await it.use(1_000, async (n) => n)).toBe(1);
    await it.close();
    expect(shut).toEqual([1]);
  });

  test('after a failure the next use gets another, and the broken one is shut', async () => {
    const { it, shut } = counted();
    const broken = it.use(1_000, () => Promise.reject(new Error('broken')));
    await expect(broken).rejects.toThrow('broken');
    expect(await it.use(1_000, async (n) => n)).toBe(2);
    expect(shut).toEqual([1]);
  });

  test('two that fail on the same one do not shut its successor', async () => {
    const { it, shut } = counted();
    const fail = () => it.use(1_000, () => Promise.reject(new Error('broken')));
    await Promise.allSettled([fail(), fail()]);
    expect(await it.use(1_000, async (n) => n)).toBe(2);
    expect(shut).toEqual([1]);
  });

  test('what cannot be opened is tried again at the next use', async () => {
    let tries = 0;
    const it = renewable(async () => {
      if (++tries === 1) throw new Error('away');
      return { it: 'here', shut: async () => undefined };
    });
    await expect(it.use(1_000, async (found) => found)).rejects.toThrow('away');
    expect(await it.use(1_000, async (found) => found)).toBe('here');
  });

  test('one that does not answer is given up', async () => {
    const { it } = counted();
    await expect(it.use(5, () => new Promise(() => undefined))).rejects.toThrow('no answer within 5 ms');
    expect(await it.use(1_000, async (n) => n)).toBe(2);
  });

  test('a closed one is not opened again', async () => {
    const { it, shut } = counted();
    await it.close();
    await expect(it.use(1_000, async (n) => n)).rejects.toThrow('closed');
    expect(shut).toEqual([]);
  });
});

describe('messages that are sent', () => {
  const message = (value: string): Outgoing => ({ topic: 't', key: 'k', value });

  /** Tells what went together; nothing is stored before its gate is open. */
  function aSender() {
    const gates = [gate()];
    const sent: string[] = [];
    const send = gather(async (messages) => {
      const mine = gates.at(-1)!;
      gates.push(gate());
      sent.push(messages.map(({ value }) => value!.slice(0, 1)).join(''));
      await mine.opened;
    });
    return { sent, send: (value: string) => send([message(value)]), gates };
  }

  test('go one after another, in their order, and what is asked for meanwhile together', async () => {
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

  test('are not more together than a broker takes, and something big goes alone', async () => {
    const { sent, send, gates } = aSender();
    const all = ['a', 'b'.repeat(300_000), 'c'.repeat(300_000), 'd'.repeat(500_000), 'e'].map(send);
    for (let n = 0; n < 4; n++) {
      await waitFor(() => sent.length === n + 1);
      gates[n]!.open();
    }
    await Promise.all(all);
    expect(sent).toEqual(['ab', 'c', 'd', 'e']);
  });

  test('fail for everyone who went along, and the next go on', async () => {
    let tries = 0;
    const send = gather(async () => {
      if (++tries === 1) throw new Error('away');
    });
    const results = await Promise.allSettled([send([message('a')]), send([message('b')])]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(send([message('c')])).resolves.toBeUndefined();
  });
});
