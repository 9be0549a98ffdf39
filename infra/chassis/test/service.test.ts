import { ordersEndpoints } from '@arboleda/contracts/endpoints/orders.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Platform } from '../ports/platform.ts';
import { openService } from '../service.ts';
import { testServiceConfig } from '../testing/config.ts';
import { openTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { request } from '../testing/request.ts';
import { waitFor } from '../testing/wait.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await openTestPlatform();
});
afterAll(() => platform.close());

const endpoints = { 'GET /api/stats': ordersEndpoints['GET /api/stats'] };
const handlers = { 'GET /api/stats': async () => ({ treesPlanted: 50_000 }) };
const config = () =>
  testServiceConfig({ databaseUrl: platform.databaseUrl, jwksUrl: 'http://127.0.0.1:1/internal/jwks' });
const open = (overrides: { platform?: Platform } = {}) =>
  openService('orders', config(), { platform, ...overrides });

describe('a service', () => {
  test('answers its endpoints on a free port, twice in one process', async () => {
    const one = await (await open()).listen(endpoints, handlers);
    const other = await (await open()).listen(endpoints, handlers);
    expect(one.url).not.toBe(other.url);
    for (const { url, close } of [one, other]) {
      expect((await request(url, 'GET /api/stats')).body).toEqual({ treesPlanted: 50_000 });
      await close();
      await expect(request(url, 'GET /api/stats')).rejects.toThrow();
    }
  });

  test('opens the engines of its configuration when it is given none, and closes them', async () => {
    const service = await openService('orders', config());
    const running = await service.listen(endpoints, handlers);
    await expect(service.platform.bus.check()).resolves.toBeUndefined();
    await running.close();
    await expect(service.platform.bus.check()).rejects.toThrow();
  });

  test('is ready while every check passes', async () => {
    const service = await open();
    let fault: Error | undefined;
    service.onReady(async () => {
      if (fault) throw fault;
    });
    const running = await service.listen(endpoints, handlers);
    const ready = async () => (await fetch(new URL('/readyz', running.url))).status;
    expect(await ready()).toBe(200);
    fault = new Error('gone');
    expect(await ready()).toBe(503);
    fault = undefined;
    expect(await ready()).toBe(200);
    await running.close();
  });

  test('that listens to events is ready only while its bus is', async () => {
    let answers = true;
    const check = async () => {
      if (!answers) throw new Error('gone');
    };
    const service = await open({ platform: { ...platform, bus: { ...platform.bus, check } } });
    await service.subscribe({});
    const running = await service.listen(endpoints, handlers);
    answers = false;
    expect((await fetch(new URL('/readyz', running.url))).status).toBe(503);
    await running.close();
  });

  test('counts the events it handled, and those it could not', async () => {
    let failures = 1;
    const service = await open();
    await service.subscribe({
      'payment.failed': async () => {
        if (failures-- > 0) throw new Error('not yet');
      },
    });
    const running = await service.listen(endpoints, handlers);
    const documents = await platform.documents('payments');
    const payments = await documents.collection({ name: 'payments', indexes: [] });
    await payments.change('p1', () => ({
      document: { _id: 'p1' },
      events: [
        {
          type: 'payment.failed',
          data: {
            orderId: '0123456789abcdef01234567',
            paymentId: 'p1',
            reason: 'declined',
            at: '2026-03-01T00:00:00Z',
          },
        },
      ],
    }));
    const counted = async (outcome: string) => {
      const text = await (await fetch(new URL('/metrics', running.url))).text();
      const line = text.split('\n').find((each) => each.includes(`outcome="${outcome}"`));
      return Number(line?.split(' ').at(-1) ?? 0);
    };
    await waitFor(async () => (await counted('done')) === 1 && (await counted('failed')) === 1);
    await running.close();
  });

  test('closes what was opened, last first, also when one of them fails', async () => {
    const closed: string[] = [];
    const service = await open();
    service.onClose(async () => void closed.push('first'));
    service.onClose(async () => {
      closed.push('second');
      throw new Error('stuck');
    });
    const running = await service.listen(endpoints, handlers);
    await expect(running.close()).rejects.toThrow('orders did not close cleanly');
    expect(closed).toEqual(['second', 'first']);
    await expect(running.close()).resolves.toBeUndefined();
  });
});
