import { afterEach, describe, expect, test } from '@jest/globals';
import { Agent, get } from 'node:http';
import { listen } from '../http/server.ts';
import { waitFor } from '../testing/wait.ts';
import { startHttp, type TestHttp } from './http-kit.ts';

let http: TestHttp | undefined;
afterEach(() => http?.close());

describe('the health of a service', () => {
  test('is live and ready when what it stands on answers', async () => {
    http = await startHttp({});
    expect((await http.send('GET', '/livez')).status).toBe(200);
    expect((await http.send('GET', '/readyz')).status).toBe(200);
  });

  test('is live but not ready while it waits, and says what for', async () => {
    let waitingFor = ['kafka', 'mongodb'];
    http = await startHttp({}, { ready: async () => ({ ready: waitingFor.length === 0, waitingFor }) });
    const answer = await http.send('GET', '/readyz');
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2']);
    expect(answer.body).toEqual({ status: 'waiting', waitingFor: ['kafka', 'mongodb'] });
    expect((await http.send('GET', '/livez')).status).toBe(200);
    waitingFor = [];
    expect((await http.send('GET', '/readyz')).status).toBe(200);
  });

  test('is told in figures by route and status, never by path', async () => {
    http = await startHttp({ 'GET /api/orders/{token}': {} });
    await http.send('GET', '/api/orders/secret-token');
    const counted = await waitFor(async () => {
      const { text } = await http!.send('GET', '/metrics');
      expect(text).not.toContain('secret-token');
      return text.split('\n').find((line) => line.startsWith('http_request_duration_seconds_count'));
    });
    expect(counted).toContain('route="GET /api/orders/{token}",status="200"} 1');
    expect(JSON.stringify(http.lines)).not.toContain('secret-token');
  });
});

describe('a service that stops', () => {
  test('finishes a running request, takes no new one, and does not wait for idle connections', async () => {
    const started = Promise.withResolvers<void>();
    const work = Promise.withResolvers<object>();
    const handle = () => {
      started.resolve();
      return work.promise;
    };
    http = await startHttp({ 'GET /api/long': { handle }, 'GET /api/quick': {} });
    const agent = new Agent({ keepAlive: true });
    const status = (path: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        get(new URL(path, http!.url), { agent }, (response) => {
          response.resume().once('end', () => resolve(response.statusCode));
        }).once('error', reject);
      });
    await status('/api/quick');
    const long = status('/api/long');
    await started.promise;
    const stopped = http.stop();
    await expect(fetch(new URL('/api/quick', http.url))).rejects.toThrow();
    work.resolve({ done: true });
    expect(await long).toBe(200);
    const startedAt = performance.now();
    await stopped;
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    agent.destroy();
    await http.identity.close();
    http = undefined;
  });

  test('cuts what does not end', async () => {
    const started = Promise.withResolvers<void>();
    const handle = () => {
      started.resolve();
      return new Promise(() => {});
    };
    http = await startHttp({ 'GET /api/long': { handle } }, { stopWithinMs: 50, deadlineMs: 60_000 });
    const long = fetch(new URL('/api/long', http.url)).catch(() => 'cut');
    await started.promise;
    await http.stop();
    expect(await long).toBe('cut');
    await http.identity.close();
    http = undefined;
  });

  test('ends the connection with each answer while callers are to go elsewhere', async () => {
    let draining = false;
    http = await startHttp({ 'GET /api/quick': {} }, { draining: () => draining });
    const kept = async () => (await http!.send('GET', '/api/quick')).headers.get('connection');
    expect(await kept()).toBe('keep-alive');
    draining = true;
    expect(await kept()).toBe('close');
  });

  test('cannot start on a port that is taken', async () => {
    http = await startHttp({});
    const port = Number(new URL(http.url).port);
    await expect(listen(() => {}, { host: '127.0.0.1', port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });
});
