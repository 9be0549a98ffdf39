import { createServer, type IncomingMessage, request as forward, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A proxy before Stripe that can fail: `shut` refuses connections, `silent` passes requests and drops the
 * answers, `failing` answers 500, `held` delays answers until it is opened.
 */
export type DoorMode = 'open' | 'shut' | 'silent' | 'failing' | 'held';

export async function openStripeDoor(apiUrl: string) {
  let mode: DoorMode = 'open';
  let waiting: (() => void)[] = [];
  const requests: { method: string; path: string; idempotencyKey: string | undefined }[] = [];

  const answer = (from: IncomingMessage, response: ServerResponse) => {
    if (mode === 'silent') return void response.destroy();
    const send = () => {
      response.writeHead(from.statusCode!, from.headers);
      from.pipe(response);
    };
    if (mode === 'held') waiting.push(send);
    else send();
  };

  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    const key = headers['idempotency-key'];
    requests.push({ method, path: url, idempotencyKey: typeof key === 'string' ? key : undefined });
    if (mode === 'shut') return void request.socket.destroy();
    if (mode === 'failing') {
      request.resume();
      response.writeHead(500, { 'Content-Type': 'application/json', 'Stripe-Should-Retry': 'false' });
      return void response.end(
        JSON.stringify({ error: { type: 'api_error', message: 'An error occurred.' } }),
      );
    }
    const onward = forward(new URL(url, apiUrl), { method, headers }, (from) => answer(from, response));
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    set(next: DoorMode) {
      mode = next;
      if (next !== 'open') return;
      for (const send of waiting) send();
      waiting = [];
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
