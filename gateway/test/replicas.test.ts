import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { SERVICES, urlVariable } from '@arboleda/contracts/services.ts';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { Agent, request, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { gatewayConfig } from '../config.ts';
import { startStub, startTestGateway, type StubService, type TestGateway } from './harness.ts';
import { callOnce, type Load, startLoad } from './load.ts';
import { type ReplicaStub, type ReplicatedGateway, startReplicated } from './replica-harness.ts';

describe('replicas of a service', () => {
  /** A tenth of the production interval. */
  const EVERY_MS = 100;

  let site: ReplicatedGateway;

  let load: Load | undefined;

  const open = async (count: number, parts: Parameters<typeof startReplicated>[1] = {}) => {
    site = await startReplicated(count, { ...parts, follow: { everyMs: EVERY_MS, ...parts.follow } });
    await isReady();
    return site;
  };

  /** Waits until the gateway has probed the replicas again. */
  const isReady = () => waitFor(async () => (await fetch(`${site.gateway.url}/readyz`)).ok);

  const askedAgain = async () => {
    const before = site.replicas.map((replica) => replica.asked());
    await waitFor(() => site.replicas.every((replica, index) => replica.asked() > before[index]! + 1));
  };

  /** Stops like a service on SIGTERM: drains for longer than the probe interval. */
  const drainAndStop = async (replica: ReplicaStub) => {
    replica.drain();
    const before = replica.asked();
    await waitFor(() => replica.asked() > before + 1);
    await replica.stop();
  };

  afterEach(async () => {
    await load?.stop();
    load = undefined;
    await site.close();
  });

  test('calls over one kept-alive connection rotate over the replicas', async () => {
    await open(3);
    await askedAgain();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let call = 0; call < 30; call += 1) {
      expect((await callOnce(site.gateway.url, call % 2 ? 'POST' : 'GET', agent)).status).toBe(200);
    }
    agent.destroy();
    expect(site.replicas.map((replica) => replica.calls())).toEqual([10, 10, 10]);
  });

  test('a new replica soon gets calls, and none fails', async () => {
    await open(1);
    load = startLoad(site.gateway.url, { callers: 8, methods: ['GET', 'POST'] });
    const added = await site.start('127.0.0.2');
    site.names.addresses.push(added.address);
    await waitFor(() => added.calls() > 10);
    expect(await load.stop()).toEqual([]);
  });

  test('a replica that is not ready gets no calls', async () => {
    await open(1);
    const added = await site.start('127.0.0.2');
    added.drain();
    site.names.addresses.push(added.address);
    await waitFor(() => added.asked() > 2);
    for (let call = 0; call < 10; call += 1) await callOnce(site.gateway.url, 'GET');
    expect(added.calls()).toBe(0);
  });

  describe('under a constant load of reads and writes', () => {
    test('replicas that drain and stop in turn cause no failures', async () => {
      await open(3);
      load = startLoad(site.gateway.url, { callers: 16, methods: ['GET', 'POST'] });
      for (const replica of site.replicas.slice(0, 2)) {
        await waitFor(() => replica.calls() > 50);
        await drainAndStop(replica);
        site.names.addresses = site.names.addresses.filter((address) => address !== replica.address);
      }
      const seen = load.replies.length;
      await waitFor(() => load!.replies.length > seen + 100);
      expect(await load.stop()).toEqual([]);
    });

    test('replicas that are restarted in turn cause no failures', async () => {
      await open(2);
      load = startLoad(site.gateway.url, { callers: 16, methods: ['GET', 'POST'] });
      for (const replica of [...site.replicas]) {
        await drainAndStop(replica);
        const again = await site.start(replica.address);
        await waitFor(() => again.calls() > 50);
      }
      expect(await load.stop()).toEqual([]);
    });

    test('a crashing replica fails no read, and no write arrives twice', async () => {
      await open(3);
      load = startLoad(site.gateway.url, { callers: 16, methods: ['GET', 'POST'] });
      const [first, second] = site.replicas;
      for (const replica of [first!, second!]) {
        await waitFor(() => replica.calls() > 50);
        await replica.kill();
        const seen = load.replies.length;
        await waitFor(() => load!.replies.length > seen + 100);
      }
      const failed = await load.stop();
      expect(failed.filter(({ method }) => method === 'GET')).toEqual([]);
      expect(failed.filter(({ status, body }) => status !== 503 || !body.includes('"unavailable"'))).toEqual(
        [],
      );
      const posted = site.replicas.flatMap((replica) => replica.posted);
      expect(new Set(posted).size).toBe(posted.length);
    });
  });

  describe('a call at a replica that crashes', () => {
    test('is retried elsewhere when it only reads', async () => {
      await open(2);
      await askedAgain();
      const [first, second] = site.replicas;
      first!.answerWith(() => void first!.kill());
      second!.answerWith((_request, response) => void response.end('{}'));
      const replies = [await callOnce(site.gateway.url, 'GET'), await callOnce(site.gateway.url, 'GET')];
      expect(replies.map(({ status }) => status)).toEqual([200, 200]);
      expect([first!.calls(), second!.calls()]).toEqual([1, 2]);
    });

    test('becomes a 503 when it writes, and is not retried', async () => {
      await open(2);
      await askedAgain();
      for (const replica of site.replicas) replica.answerWith(() => void replica.kill());
      const reply = await callOnce(site.gateway.url, 'POST');
      expect(reply.status).toBe(503);
      expect(JSON.parse(reply.body)).toMatchObject({ type: 'unavailable' });
      expect(site.replicas.flatMap((replica) => replica.posted)).toHaveLength(1);
    });
  });

  test('a write goes to another replica when the first one refuses the connection', async () => {
    // The probe does not notice that one of them is not ready.
    await open(2, { follow: { probe: () => Promise.resolve(true) } });
    await site.replicas[0]!.kill();
    const replies = await Promise.all(Array.from({ length: 4 }, () => callOnce(site.gateway.url, 'POST')));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(site.replicas[1]!.posted).toHaveLength(4);
  });

  test('a frozen replica gets no more calls once its probe times out', async () => {
    // Longer than the timeout of the probe.
    await open(2, { limits: { upstreamTimeoutMs: 2_000 } });
    await askedAgain();
    const [frozen, other] = site.replicas;
    frozen!.freeze();
    load = startLoad(site.gateway.url, { callers: 4, methods: ['GET'] });
    // All callers have timed out and call again.
    await waitFor(() => load!.replies.filter(({ status }) => status === 503).length === 4);
    const seen = other!.calls();
    await waitFor(() => other!.calls() > seen + 200);
    expect(frozen!.calls()).toBe(4);
    expect(await load.stop()).toHaveLength(4);
  });

  test('when name lookup fails, calls go to the known replicas', async () => {
    await open(2);
    site.names.isDown = true;
    load = startLoad(site.gateway.url, { callers: 4, methods: ['GET', 'POST'] });
    await askedAgain();
    const seen = site.replicas.map((replica) => replica.calls());
    await waitFor(() => site.replicas.every((replica, index) => replica.calls() > seen[index]! + 20));
    expect(await load.stop()).toEqual([]);
  });

  test('when no replica is ready they are called anyway, and the gateway reports not ready', async () => {
    await open(2);
    for (const replica of site.replicas) replica.drain();
    await waitFor(async () => (await fetch(`${site.gateway.url}/readyz`)).status === 503);
    const body = await (await fetch(`${site.gateway.url}/readyz`)).text();
    expect(body).not.toMatch(/127\.0\.0|payments\.test/);
    expect((await callOnce(site.gateway.url, 'GET')).status).toBe(200);
  });

  test('metrics count calls per replica, and drop removed replicas', async () => {
    await open(2, { metrics: { host: '127.0.0.1', port: 0 } });
    await askedAgain();
    const figures = async () => (await fetch(site.gateway.metricsUrl!)).text();
    for (let call = 0; call < 4; call += 1) await callOnce(site.gateway.url, 'GET');
    const [first, second] = site.replicas.map(({ address, port }) => `${address}:${port}`);
    for (const replica of [first, second]) {
      expect(await figures()).toContain(
        `gateway_upstream_requests_total{service="payments",replica="${replica}",outcome="answered"} 2`,
      );
    }
    site.names.addresses.pop();
    await waitFor(async () => !(await figures()).includes(second!));
    expect(await figures()).toContain(first);
  });
});

describe('the health of a gateway', () => {
  let gateway: TestGateway;

  afterEach(() => gateway.close());

  test('the gateway is live whatever its services do, and ready when all of them are', async () => {
    gateway = await startTestGateway();
    expect((await fetch(`${gateway.url}/livez`)).status).toBe(200);
    expect((await fetch(`${gateway.url}/readyz`)).status).toBe(200);
    expect(gateway.stub.requests.filter(({ url }) => url === '/readyz')).toHaveLength(7);
    gateway.stub.answerWith((_request, response) => void response.writeHead(503).end());
    const response = await fetch(`${gateway.url}/readyz`);
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('2');
    expect((await fetch(`${gateway.url}/livez`)).status).toBe(200);
  });

  test('metrics are on a separate port, and name routes, never paths', async () => {
    gateway = await startTestGateway({ metrics: { host: '127.0.0.1', port: 0 } });
    await fetch(`${gateway.url}/api/track/ab12CD34ef56GH78ij90KL`);
    const text = await (await fetch(gateway.metricsUrl!)).text();
    expect(text).toContain('route="GET /api/track/{token}",status="200"');
    expect(text).not.toContain('ab12CD34ef56GH78ij90KL');
    expect(await (await fetch(`${gateway.url}/metrics`)).text()).not.toContain('http_request_duration');
  });

  test('a client that sends its headers too slowly is disconnected, and others are served meanwhile', async () => {
    gateway = await startTestGateway({ limits: { headersTimeoutMs: 200 } });
    const slow = gateway.raw('GET /api/stats HTTP/1.1\r\nHost: a\r\nX-Slow: ');
    expect((await fetch(`${gateway.url}/api/stats`)).status).toBe(200);
    expect(await slow).toMatch(/^HTTP\/1\.1 408/);
  });

  test('hundreds of half-open connections leave others served', async () => {
    gateway = await startTestGateway();
    const { hostname, port } = new URL(gateway.url);
    const begun = [
      '',
      'GET /api/stats HTTP/1.1\r\nHost: a\r\nX-Slow: ',
      'POST /api/auth/customer/login HTTP/1.1\r\nHost: a\r\nContent-Length: 50000\r\n\r\n{',
      'POST /api/manual-payments/create-order HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n--\r\n',
    ];
    const sockets = Array.from({ length: 400 }, (_, at) => {
      const socket = connect(Number(port), hostname);
      socket.on('error', () => undefined).write(begun[at % begun.length]!);
      return socket;
    });
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    try {
      expect((await fetch(`${gateway.url}/api/stats`)).status).toBe(200);
      expect((await fetch(gateway.url)).status).toBe(200);
    } finally {
      for (const socket of sockets) socket.destroy();
    }
  });

  test('invalid environment variables are named', async () => {
    gateway = await startTestGateway();
    const urls = Object.fromEntries(SERVICES.map((name) => [urlVariable(name), gateway.stub.url]));
    const env = { ...urls, SITE_URL: 'https://arboleda.example' };
    expect(gatewayConfig(env)).toMatchObject({ port: 8080, siteUrl: 'https://arboleda.example' });
    expect(() => gatewayConfig({ ...env, TRUSTED_PROXIES: '10.0.0.0/8, nonsense' })).toThrow(
      /TRUSTED_PROXIES.*nonsense/,
    );
    expect(() => gatewayConfig({ ...env, ORDERS_URL: undefined })).toThrow(/ORDERS_URL/);
    expect(() => gatewayConfig({ ...env, RATE_LIMIT_DATABASE_URL: 'mysql://db' })).toThrow(
      /RATE_LIMIT_DATABASE_URL: must be a postgres/,
    );
    expect(gatewayConfig({ ...env, DRAIN_SECONDS: '3' }).limits.drainMs).toBe(3000);
    expect(gatewayConfig({ ...env, MAX_CALLS_IN_FLIGHT: '32' }).limits.maxCallsInFlight).toBe(32);
    expect(() => gatewayConfig({ ...env, MAX_CALLS_IN_FLIGHT: '0' })).toThrow(/MAX_CALLS_IN_FLIGHT/);
    expect(() => gatewayConfig({ ...env, DRAIN_SECONDS: 'long' })).toThrow(/DRAIN_SECONDS/);
    const production = { ...env, NODE_ENV: 'production' };
    for (const scale of ['0', '1000'])
      expect(() => gatewayConfig({ ...production, RATE_LIMIT_SCALE: scale })).toThrow(/RATE_LIMIT_SCALE/);
    const rehearsal = { ...production, SITE_URL: 'http://localhost:8080', RATE_LIMIT_SCALE: '1000' };
    expect(gatewayConfig(rehearsal).limits.rateScale).toBe(1000);
  });
});

describe('stopping a gateway', () => {
  let gateway: TestGateway;

  let closing: Promise<void> | undefined;

  afterEach(() => closing ?? gateway.close());

  /** Long enough to observe a draining gateway. */
  const DRAIN_MS = 700;

  const open = async (drainMs: number) => {
    gateway = await startTestGateway({ limits: { drainMs, rateScale: 0 } });
  };

  const stop = () => (closing = gateway.close());

  test('a stopping gateway reports not ready, and serves for a while', async () => {
    await open(DRAIN_MS);
    const stopping = stop();
    expect((await fetch(`${gateway.url}/readyz`)).status).toBe(503);
    expect((await fetch(`${gateway.url}/livez`)).status).toBe(200);
    const response = await fetch(`${gateway.url}/api/stats`);
    expect(response.status).toBe(200);
    expect(response.headers.get('connection')).toBe('close');
    await stopping;
    await expect(fetch(`${gateway.url}/livez`)).rejects.toThrow();
  });

  test('callers who then go elsewhere lose nothing, whatever connections they keep', async () => {
    await open(DRAIN_MS);
    const load = startLoad(gateway.url, { callers: 8, methods: ['GET', 'POST'] });
    await waitFor(() => load.replies.length > 50);
    const stopping = stop();
    await waitFor(async () => (await fetch(`${gateway.url}/readyz`)).status === 503);
    expect(await load.stop()).toEqual([]);
    await stopping;
  });

  test('a pending call is finished, and its kept-alive connection does not delay the stop', async () => {
    await open(0);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    gateway.stub.answerWith((_request, response) => void released.then(() => response.end('{}')));
    const agent = new Agent({ keepAlive: true });
    const answering = callOnce(gateway.url, 'GET', agent);
    await waitFor(() => gateway.stub.requests.length === 1);
    const stopping = stop();
    await waitFor(() =>
      fetch(`${gateway.url}/livez`).then(
        () => false,
        () => true,
      ),
    );
    release();
    expect((await answering).status).toBe(200);
    await stopping;
    agent.destroy();
  });
});

describe('load above a gateway’s limit', () => {
  const MAX = 8;

  let gateway: TestGateway;

  let payments: StubService;

  let waiting: ServerResponse[];

  beforeEach(async () => {
    payments = await startStub();
    gateway = await startTestGateway({
      limits: { maxCallsInFlight: MAX, rateScale: 0 },
      serviceUrls: { payments: payments.url },
      metrics: { host: '127.0.0.1', port: 0 },
    });
    waiting = [];
  });

  afterEach(async () => {
    await gateway.close();
    await payments.close();
  });

  const hold = (...services: StubService[]) => {
    for (const service of services) service.answerWith((_request, response) => void waiting.push(response));
  };

  const release = () => {
    for (const service of [gateway.stub, payments])
      service.answerWith((_request, response) => response.end('{}'));
    for (const response of waiting.splice(0)) response.end('{}');
  };

  const get = (path: string, init?: RequestInit) => fetch(gateway.url + path, init);

  const post = (path: string, body = '{}') => get(path, { method: 'POST', body });

  const many = (count: number, call: () => Promise<Response>) => Array.from({ length: count }, call);

  const statuses = async (calls: Promise<Response>[]) =>
    (await Promise.all(calls)).map(({ status }) => status);

  test('is shed at once with Retry-After', async () => {
    hold(gateway.stub, payments);
    const taken = [
      ...many(MAX / 2, () => get('/api/stats')),
      ...many(MAX / 2, () => post('/api/pricing/create-payment-intent')),
    ];
    await waitFor(() => waiting.length === MAX);
    const asked = payments.requests.length + gateway.stub.requests.length;
    const shed = await get('/api/pricing/packages', { headers: { 'accept-language': 'es' } });
    expect(shed.status).toBe(503);
    expect(Number(shed.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(shed.headers.get('content-type')).toContain('application/problem+json');
    expect(await shed.json()).toMatchObject({
      type: 'overloaded',
      title: expect.stringContaining('muchas visitas'),
    });
    expect(payments.requests.length + gateway.stub.requests.length).toBe(asked);
    release();
    expect(await statuses(taken)).toEqual(Array(MAX).fill(200));
    expect(await statuses(many(MAX / 2, () => get('/api/stats')))).toEqual(Array(MAX / 2).fill(200));
  });

  test('at one unresponsive service leaves the others half of the slots', async () => {
    hold(payments);
    const taken = many(MAX / 2, () => post('/api/pricing/create-payment-intent'));
    await waitFor(() => waiting.length === MAX / 2);
    expect((await post('/api/pricing/create-payment-intent')).status).toBe(503);
    expect((await get('/api/stats')).status).toBe(200);
    const figures = await (await fetch(gateway.metricsUrl!)).text();
    expect(figures).toMatch(/^gateway_shed_total\{.*service="payments".*\} 1$/m);
    expect(figures).toMatch(/^gateway_calls_in_flight\{.*\} 4$/m);
    release();
    await Promise.all(taken);
  });

  test('does not shed webhooks, pages and health checks', async () => {
    hold(gateway.stub, payments);
    const taken = many(MAX / 2, () => get('/api/stats'));
    const news = many(MAX * 2, () => post('/api/payments/stripe-webhook'));
    await waitFor(() => waiting.length === MAX / 2 + MAX * 2);
    expect((await get('/api/stats')).status).toBe(503);
    expect((await get('/livez')).status).toBe(200);
    expect((await get('/plant-trees')).status).toBe(200);
    release();
    expect(await statuses([...taken, ...news])).toEqual(Array(taken.length + news.length).fill(200));
  });

  test('does not include listeners and slow readers', async () => {
    gateway.stub.answerWith((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      response.write('data: {}\n\n');
      waiting.push(response);
    });
    const listeners = await Promise.all(many(MAX * 2, () => get('/api/track/ab12CD34ef56GH78ij90KL/events')));
    const readers = await Promise.all(many(MAX * 2, () => get('/api/stats')));
    expect((await get('/api/stats')).status).toBe(200);
    release();
    await Promise.all([...listeners, ...readers].map((one) => one.body!.cancel()));
  });

  test('does not include slow senders', async () => {
    hold(payments);
    const senders = Array.from({ length: MAX * 2 }, () => {
      const sender = request(`${gateway.url}/api/pricing/create-payment-intent`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-length': 10, expect: '100-continue' },
      });
      sender.on('error', () => undefined).flushHeaders();
      return sender;
    });
    await Promise.all(senders.map((sender) => once(sender, 'continue')));
    for (const sender of senders) sender.write('{');
    payments.answerWith((_request, response) => response.end('{}'));
    expect((await post('/api/pricing/create-payment-intent')).status).toBe(200);
    for (const sender of senders) sender.destroy();
  });
});
