import { SERVICES } from '@arboleda/contracts/services.ts';
import type { Letter } from '@arboleda/chassis/dead-letters/dead-letters.ts';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { followTheLine } from '../browser/line.ts';
import { stageOf } from '../browser/stage.ts';
import { openDriver } from '../driver/driver.ts';
import { launchBrowser } from '../harness/browser.ts';
import { waitFor } from '../harness/wait.ts';
import { useCompose } from './composed.ts';
import { askDoctor } from './doctor.ts';

jest.setTimeout(300_000);

const product = useCompose();
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

describe('docker compose up', () => {
  test('is one healthy container of each service, none of which is root', async () => {
    const users = await product.compose(
      'exec',
      '--no-TTY',
      'orders',
      'sh',
      '-c',
      'id -u; touch /app/x || true',
    );
    expect(Number.parseInt(users, 10)).toBeGreaterThan(0);
    for (const service of [...SERVICES, 'gateway']) expect(await product.replicas(service)).toBe(1);
    await waitFor('everything to be ready', async () => (await fetch(`${product.url}/readyz`)).ok);
    expect((await fetch(`${product.url}/metrics`)).headers.get('content-type')).not.toMatch(/text\/plain/);
  });

  test('is well, the doctor says', async () => {
    expect(await askDoctor(product)).toEqual([]);
  });

  test('sells trees by card, which are planted, photographed and completed; donor and admin see it', () =>
    followTheLine(
      { ...stageOf(product), browser },
      { language: 'en', width: 1280, trees: 5, currency: 'USD', amount: '20.00' },
    ));
});

describe('a message that is no event', () => {
  const dlq = (...args: string[]) =>
    product.compose('exec', '--no-TTY', 'orders', 'node', 'infra/chassis/dead-letters/main.ts', ...args);
  const lettersOfOrders = async () =>
    (JSON.parse(await dlq('list', '--owner', 'orders', '--json')) as Letter[]).filter(
      ({ kind }) => kind === 'event',
    );

  test('lies among the dead letters with its reason, and the others flow on; replayed, it dies again', async () => {
    const produce =
      '/opt/kafka/bin/kafka-console-producer.sh --bootstrap-server localhost:9092 --topic payment.succeeded';
    await product.compose('exec', '--no-TTY', 'kafka', 'bash', '-c', `echo 'no event' | ${produce}`);
    const [letter] = await waitFor('a dead letter', async () => {
      const letters = await lettersOfOrders();
      return letters.length > 0 && letters;
    });
    expect(letter).toMatchObject({
      owner: 'orders',
      what: 'unreadable',
      error: expect.stringMatching(/JSON/),
    });
    await openDriver(product).buy('after@mail.test');
    expect(await dlq('replay', letter!.id)).toBe(`${letter!.id} is on its way again.\n`);
    await waitFor('another dead letter', async () => {
      const [again] = await lettersOfOrders();
      return again !== undefined && again.id !== letter!.id;
    });
  });
});
