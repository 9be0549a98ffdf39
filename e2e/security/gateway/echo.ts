import { SERVICES } from '@arboleda/contracts/services.ts';
import { gatewayConfig } from '@arboleda/gateway/config.ts';
import { type RunningGateway, startGateway } from '@arboleda/gateway/service.ts';
import { openLogger } from '@arboleda/chassis/log.ts';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A gateway of its own before a service that keeps what reaches it, and answers as it is told to. */
export interface Echo {
  gateway: RunningGateway;
  /** Requests that reached the service since the last call. */
  heard(): IncomingMessage[];
  answerWith(answer: Answer): void;
  close(): Promise<void>;
}

export const silent = openLogger('gateway', 'silent');

export async function openEcho(env: Record<string, string> = {}): Promise<Echo> {
  let heard: IncomingMessage[] = [];
  const plain: Answer = (_request, response) => void response.end('{}');
  let answer = plain;
  const service = createServer((request, response) => {
    if (request.url === '/readyz') return plain(request, response);
    heard.push(request);
    request.resume();
    answer(request, response);
  }).listen(0, '127.0.0.1');
  await once(service, 'listening');
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  const urls = Object.fromEntries(SERVICES.map((name) => [`${name.toUpperCase()}_URL`, url]));
  const config = gatewayConfig({ SITE_URL: 'https://trees.example', PORT: '0', ...urls, ...env });
  const gateway = await startGateway(config, { logger: silent });
  return {
    gateway,
    heard() {
      const seen = heard;
      heard = [];
      return seen;
    },
    answerWith: (next) => void (answer = next),
    async close() {
      await gateway.close();
      service.closeAllConnections();
      await new Promise((done) => service.close(done));
    },
  };
}
