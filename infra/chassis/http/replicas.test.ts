import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { pino } from 'pino';
import { openReplicas, type Replica, type Replicas } from './replicas.ts';

const logs: { msg: string }[] = [];
const logger = pino({ level: 'info' }, { write: (line: string) => void logs.push(JSON.parse(line)) });

let addresses: string[] | Error;
let unwell: Set<string>;
let gone: string[];
let replicas: Replicas;

const open = (url = 'http://payments:8080') => {
  replicas = openReplicas(url, logger, {
    resolve: async () => {
      if (addresses instanceof Error) throw addresses;
      return addresses;
    },
    probe: async (asked) => !unwell.has(new URL(asked).host),
    onGone: ({ name }) => void gone.push(name),
  });
  return replicas;
};
/** Lets every probe run once more. */
const second = () => jest.advanceTimersByTimeAsync(1_000);
const picks = (count: number, tried: Replica[] = []) =>
  Array.from({ length: count }, () => replicas.pick(tried).name);

beforeEach(() => {
  jest.useFakeTimers();
  logs.length = 0;
  addresses = ['10.0.0.1', '10.0.0.2', '10.0.0.3'];
  unwell = new Set();
  gone = [];
});
afterEach(() => {
  replicas.close();
  expect(jest.getTimerCount()).toBe(0);
  jest.useRealTimers();
});

describe('the replicas behind a name', () => {
  test('are the name itself until DNS has answered', () => {
    open();
    expect(replicas.pick()).toMatchObject({ name: 'payments:8080', url: 'http://payments:8080' });
  });

  test('take turns', async () => {
    open();
    await second();
    expect(picks(6).sort()).toEqual(
      ['10.0.0.1:8080', '10.0.0.2:8080', '10.0.0.3:8080'].flatMap((name) => [name, name]),
    );
  });

  test('are skipped while they are not ready', async () => {
    unwell.add('10.0.0.2:8080');
    open();
    await second();
    expect(new Set(picks(6))).toEqual(new Set(['10.0.0.1:8080', '10.0.0.3:8080']));
    unwell.clear();
    await second();
    expect(picks(3)).toContain('10.0.0.2:8080');
  });

  test('are skipped after a failed connection, until they are ready again', async () => {
    open();
    await second();
    const refusing = replicas.pick();
    replicas.unreached(refusing);
    expect(picks(6)).not.toContain(refusing.name);
    await second();
    expect(picks(3)).toContain(refusing.name);
  });

  test('are all used when none is ready', async () => {
    unwell = new Set(['10.0.0.1:8080', '10.0.0.2:8080', '10.0.0.3:8080']);
    open();
    await second();
    expect(await replicas.areReady()).toBe(false);
    expect(new Set(picks(3)).size).toBe(3);
  });

  test('that are new come after those that were ready once, while none is ready', async () => {
    open();
    await second();
    addresses = ['10.0.0.1', '10.0.0.2', '10.0.0.3', '10.0.0.4'];
    unwell = new Set(addresses.map((address) => `${address}:8080`));
    await second();
    await second();
    expect(await replicas.areReady()).toBe(false);
    expect(new Set(picks(6))).toEqual(new Set(['10.0.0.1:8080', '10.0.0.2:8080', '10.0.0.3:8080']));
  });

  test('follow the addresses in DNS', async () => {
    open();
    await second();
    const leaving = replicas.pick();
    addresses = ['10.0.0.1', '10.0.0.2', '10.0.0.3', '10.0.0.4'].filter(
      (one) => `${one}:8080` !== leaving.name,
    );
    await second();
    await second();
    expect(picks(3)).toContain('10.0.0.4:8080');
    expect(picks(3)).not.toContain(leaving.name);
    expect(leaving.isGone).toBe(true);
    expect(gone).toEqual(['payments:8080', leaving.name]);
  });

  test('stay while DNS fails, which is logged once', async () => {
    open();
    await second();
    for (const answer of [new Error('ENOTFOUND'), []]) {
      addresses = answer;
      await second();
      expect(picks(3)).toHaveLength(3);
      expect(await replicas.areReady()).toBe(true);
    }
    expect(logs.filter(({ msg }) => msg === 'a service cannot be found')).toHaveLength(1);
  });

  test('that were tried are avoided as long as there is another', async () => {
    unwell.add('10.0.0.3:8080');
    open();
    await second();
    const tried: Replica[] = [];
    for (let attempt = 0; attempt < 3; attempt += 1) tried.push(replicas.pick(tried));
    // One that is not ready is better than none.
    expect(tried[2]!.name).toBe('10.0.0.3:8080');
    expect(new Set(tried).size).toBe(3);
    expect(tried).toContain(replicas.pick(tried));
  });

  test('may have IPv6 addresses', async () => {
    addresses = ['fd00::5'];
    open();
    await second();
    expect(replicas.pick()).toMatchObject({ name: '[fd00::5]:8080', url: 'http://[fd00::5]:8080/' });
  });
});

test.each([
  'http://127.0.0.1:8080',
  'http://[::1]:8080',
  'http://localhost:8080',
  'https://payments.example',
])('%s is a fixed address without DNS or probes', (url) => {
  open(url);
  expect(jest.getTimerCount()).toBe(0);
  const only = replicas.pick();
  replicas.unreached(only);
  expect(replicas.pick([only])).toBe(only);
  expect(only.url).toBe(url);
});
