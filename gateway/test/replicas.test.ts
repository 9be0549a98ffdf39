import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { afterEach, describe, expect, test } from '@jest/globals';
import { Agent } from 'node:http';
import { callOnce, type Load, startLoad } from './load.ts';
import { type ReplicaStub, type ReplicatedGateway, startReplicated } from './replica-kit.ts';

/** Ten times as quick as in earnest. */
const EVERY_MS = 100;

let site: ReplicatedGateway;
let load: Load | undefined;
const open = async (count: number, parts: Parameters<typeof startReplicated>[1] = { everyMs: EVERY_MS }) => {
  site = await startReplicated(count, parts);
  await isReady();
  return site;
};
/** The gateway has heard of a change once it has asked the replicas anew. */
const isReady = () => waitFor(async () => (await fetch(`${site.gateway.url}/readyz`)).ok);
const askedAgain = async () => {
  const before = site.replicas.map((replica) => replica.asked());
  await waitFor(() => site.replicas.every((replica, index) => replica.asked() > before[index]! + 1));
};
/** As a service does on SIGTERM; it drains for longer than callers take to ask it. */
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

test('calls over one kept-alive connection go to each replica in turn', async () => {
  await open(3);
  await askedAgain();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (let call = 0; call < 30; call += 1) {
    expect((await callOnce(site.gateway.url, call % 2 ? 'POST' : 'GET', agent)).status).toBe(200);
  }
  agent.destroy();
  expect(site.replicas.map((replica) => replica.calls())).toEqual([10, 10, 10]);
});

test('a replica that is added has calls within two seconds, and none fails', async () => {
  await open(1, {});
  load = startLoad(site.gateway.url, { callers: 8, methods: ['GET', 'POST'] });
  const added = await site.start('127.0.0.2');
  site.names.addresses.push(added.address);
  await waitFor(() => added.calls() > 10, 2_000);
  expect(await load.stop()).toEqual([]);
});

test('a replica that is not ready yet gets no calls', async () => {
  await open(1);
  const added = await site.start('127.0.0.2');
  added.drain();
  site.names.addresses.push(added.address);
  await waitFor(() => added.asked() > 2);
  for (let call = 0; call < 10; call += 1) await callOnce(site.gateway.url, 'GET');
  expect(added.calls()).toBe(0);
});

describe('under a constant load of reads and writes', () => {
  test('replicas that drain and stop one after the other fail nothing', async () => {
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

  test('replicas that are restarted one after the other fail nothing', async () => {
    await open(2);
    load = startLoad(site.gateway.url, { callers: 16, methods: ['GET', 'POST'] });
    for (const replica of [...site.replicas]) {
      await drainAndStop(replica);
      const again = await site.start(replica.address);
      await waitFor(() => again.calls() > 50);
    }
    expect(await load.stop()).toEqual([]);
  });

  test('a replica that dies fails no read, and no write arrives twice', async () => {
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

describe('a call that a replica had taken as it died', () => {
  test('is answered by another one when it only reads', async () => {
    await open(2);
    await askedAgain();
    const [first, second] = site.replicas;
    first!.answerWith(() => void first!.kill());
    second!.answerWith((_request, response) => void response.end('{}'));
    const replies = [await callOnce(site.gateway.url, 'GET'), await callOnce(site.gateway.url, 'GET')];
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    expect([first!.calls(), second!.calls()]).toEqual([1, 2]);
  });

  test('is a 503 problem when it writes, and is not sent again', async () => {
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
  await open(2, {});
  await askedAgain();
  await site.replicas[0]!.kill();
  // Before anybody could have asked whether it is ready.
  const replies = await Promise.all(Array.from({ length: 4 }, () => callOnce(site.gateway.url, 'POST')));
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(site.replicas[1]!.posted).toHaveLength(4);
});

test('a replica that says nothing any more has its last call within two and a half seconds', async () => {
  await open(2, { limits: { upstreamTimeoutMs: 3_000 } });
  await askedAgain();
  const [frozen, other] = site.replicas;
  frozen!.freeze();
  const frozenAt = performance.now();
  load = startLoad(site.gateway.url, { callers: 4, methods: ['GET'] });
  // All callers have waited for it in vain and call on.
  await waitFor(() => load!.replies.filter(({ status }) => status === 503).length === 4);
  const seen = other!.calls();
  await waitFor(() => other!.calls() > seen + 200);
  expect(frozen!.lastCallAt() - frozenAt).toBeLessThan(2_500);
  expect(await load.stop()).toHaveLength(4);
});

test('while names cannot be looked up, calls go where they went', async () => {
  await open(2);
  site.names.isDown = true;
  load = startLoad(site.gateway.url, { callers: 4, methods: ['GET', 'POST'] });
  await askedAgain();
  const seen = site.replicas.map((replica) => replica.calls());
  await waitFor(() => site.replicas.every((replica, index) => replica.calls() > seen[index]! + 20));
  expect(await load.stop()).toEqual([]);
});

test('when no replica is ready they are called all the same, and the gateway says that it is not ready', async () => {
  await open(2);
  for (const replica of site.replicas) replica.drain();
  await waitFor(async () => (await fetch(`${site.gateway.url}/readyz`)).status === 503);
  const body = await (await fetch(`${site.gateway.url}/readyz`)).text();
  expect(body).not.toMatch(/127\.0\.0|payments\.test/);
  expect((await callOnce(site.gateway.url, 'GET')).status).toBe(200);
});

test('figures show how calls spread, and forget replicas that are gone', async () => {
  await open(2, { everyMs: EVERY_MS, metrics: { host: '127.0.0.1', port: 0 } });
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
