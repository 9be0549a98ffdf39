import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { afterEach, expect, test } from '@jest/globals';
import { Agent } from 'node:http';
import { callOnce, startLoad } from './load.ts';
import { startTestGateway, type TestGateway } from './kit.ts';

let gateway: TestGateway;
let closing: Promise<void> | undefined;
afterEach(() => closing ?? gateway.close());

/** Long enough to look at a gateway that drains. */
const DRAIN_MS = 700;
const open = async (drainMs: number) => {
  gateway = await startTestGateway({ limits: { drainMs, rateScale: 0 } });
};
const stop = () => (closing = gateway.close());

test('a gateway that is told to stop says that it is not ready, and serves on for a while', async () => {
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

test('callers who go elsewhere when it says so lose nothing, whatever connections they keep', async () => {
  await open(DRAIN_MS);
  const load = startLoad(gateway.url, { callers: 8, methods: ['GET', 'POST'] });
  await waitFor(() => load.replies.length > 50);
  const stopping = stop();
  await waitFor(async () => (await fetch(`${gateway.url}/readyz`)).status === 503);
  expect(await load.stop()).toEqual([]);
  await stopping;
});

test('a call in hand is finished, and its kept-alive connection does not hold the gateway up', async () => {
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
