import { type Courtesy, openCourtesy } from '@arboleda/chassis/courtesy.ts';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { request, type ServerResponse } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { startStub, startTestGateway, type StubService, type TestGateway } from './kit.ts';

const MAX = 8;

let courtesy: Courtesy;
let gateway: TestGateway;
/** Answers for payments alone. */
let payments: StubService;
let waiting: ServerResponse[];

beforeEach(async () => {
  courtesy = openCourtesy();
  payments = await startStub();
  gateway = await startTestGateway({
    limits: { maxCallsInFlight: MAX, rateScale: 0 },
    serviceUrls: { payments: payments.url },
    metrics: { host: '127.0.0.1', port: 0 },
    courtesy,
  });
  waiting = [];
});
afterEach(async () => {
  await gateway.close();
  await payments.close();
});

/** From now on nobody answers before they are released. */
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
const statuses = async (calls: Promise<Response>[]) => (await Promise.all(calls)).map(({ status }) => status);

test('what comes on top of what waits is turned away at once, and told when to come again', async () => {
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
    title: expect.stringContaining('muchísima gente'),
  });
  expect(payments.requests.length + gateway.stub.requests.length).toBe(asked);
  release();
  expect(await statuses(taken)).toEqual(Array(MAX).fill(200));
  expect(await statuses(many(MAX / 2, () => get('/api/stats')))).toEqual(Array(MAX / 2).fill(200));
});

test('a service that does not answer leaves the others their half', async () => {
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

test('news of money, pages and health are never turned away', async () => {
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

test('listeners and slow readers take nobody’s place', async () => {
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

test('what nobody waits for in this process begins when calls are answered, also those never turned away', async () => {
  const steps: string[] = [];
  for (const path of ['/api/pricing/create-payment-intent', '/api/payments/stripe-webhook']) {
    hold(payments);
    const call = post(path);
    await waitFor(() => waiting.length === 1);
    const mail = courtesy.afterOthers(performance.now(), async () => void steps.push('mail'));
    await turn();
    steps.push('answer');
    release();
    await Promise.all([call, mail]);
  }
  expect(steps).toEqual(['answer', 'mail', 'answer', 'mail']);
});

test('who is still sending takes nobody’s place', async () => {
  hold(payments);
  const senders = Array.from({ length: MAX * 2 }, () => {
    const sender = request(`${gateway.url}/api/pricing/create-payment-intent`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': 10, expect: '100-continue' },
    });
    sender.on('error', () => undefined).flushHeaders();
    return sender;
  });
  // They are let in.
  await Promise.all(senders.map((sender) => once(sender, 'continue')));
  for (const sender of senders) sender.write('{');
  payments.answerWith((_request, response) => response.end('{}'));
  expect((await post('/api/pricing/create-payment-intent')).status).toBe(200);
  for (const sender of senders) sender.destroy();
});
