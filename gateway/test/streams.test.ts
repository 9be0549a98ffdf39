import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import { startTestGateway, type TestGateway } from './kit.ts';

let gateway: TestGateway;
let feeding: ServerResponse[];

beforeEach(async () => {
  gateway = await startFed();
});
afterEach(() => gateway.close());

async function startFed(): Promise<TestGateway> {
  const started = await startTestGateway({ limits: { upstreamTimeoutMs: 300 } });
  feeding = [];
  started.stub.answerWith((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.write('data: {"orderId":"a"}\n\n');
    feeding.push(response);
  });
  return started;
}

const listen = async (at = gateway) => {
  const response = await fetch(`${at.url}/api/track/ab12CD34ef56GH78ij90KL/events`);
  return response.body!.pipeThrough(new TextDecoderStream()).getReader();
};

test('messages come through as they are sent, long after a call would have been given up', async () => {
  const messages = await listen();
  expect((await messages.read()).value).toBe('data: {"orderId":"a"}\n\n');
  await new Promise((resolve) => setTimeout(resolve, 500));
  feeding[0]!.write('data: {"orderId":"b"}\n\n');
  expect((await messages.read()).value).toBe('data: {"orderId":"b"}\n\n');
  await messages.cancel();
});

test('hundreds of listeners leave calls their connections', async () => {
  const listeners = await Promise.all(Array.from({ length: 300 }, () => listen()));
  gateway.stub.answerWith((_request, response) => response.end('{}'));
  expect((await fetch(`${gateway.url}/api/stats`)).status).toBe(200);
  await Promise.all(listeners.map((one) => one.cancel()));
});

test('a gateway that stops ends its streams at once and cleanly', async () => {
  const stopped = await startFed();
  const messages = await listen(stopped);
  await messages.read();
  const closing = stopped.close();
  expect((await messages.read()).done).toBe(true);
  await closing;
});
