import { freePort } from '@arboleda/chassis/testing/free-port.ts';
import { listen } from '@arboleda/chassis/http/server.ts';
import { type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { startTestGateway, type GatewayParts, type TestGateway } from './harness.ts';

/** A process of a service on its own loopback address, as the chassis runs it. */
export interface ReplicaStub {
  address: string;
  port: number;
  /** Number of calls, /readyz excluded, and the bodies of POSTs. */
  calls(): number;
  posted: string[];
  asked(): number;
  answerWith(listener: RequestListener): void;
  /** Reports not ready and continues to serve. */
  drain(): void;
  /** Accepts connections without answering. */
  freeze(): void;
  /** Stops accepting and finishes pending calls. */
  stop(): Promise<void>;
  /** Crashes: resets every connection and refuses new ones. */
  kill(): Promise<void>;
}

/** @param port 0 takes a free one */
async function startReplica(address: string, port: number): Promise<ReplicaStub> {
  let state: 'ready' | 'draining' | 'frozen' = 'ready';
  let calls = 0;
  let asked = 0;
  const posted: string[] = [];
  const sockets = new Set<Socket>();
  let answer: RequestListener = (_request, response) => void response.end(JSON.stringify({ address }));

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    sockets.add(request.socket);
    const isQuestion = request.url === '/readyz';
    if (isQuestion) asked += 1;
    else calls += 1;
    if (state === 'frozen') return;
    if (state === 'draining') response.setHeader('Connection', 'close');
    response.setHeader('Content-Type', 'application/json');
    if (isQuestion) return void response.writeHead(state === 'ready' ? 200 : 503).end();
    if (request.method === 'POST') posted.push(Buffer.concat(await request.toArray()).toString());
    answer(request, response);
  }

  const server = await listen(
    (request, response) => void handle(request, response).catch(() => response.destroy()),
    { host: address, port, stopWithinMs: 2_000 },
  );
  return {
    address,
    port: Number(new URL(server.url).port),
    calls: () => calls,
    posted,
    asked: () => asked,
    answerWith: (listener) => void (answer = listener),
    drain: () => void (state = 'draining'),
    freeze: () => void (state = 'frozen'),
    stop: () => server.close(),
    async kill() {
      const closed = server.close();
      for (const socket of sockets) socket.resetAndDestroy();
      await closed;
    },
  };
}

/** The test's own name server. */
export interface Names {
  addresses: string[];
  isDown: boolean;
  resolve(hostname: string): Promise<string[]>;
}

const namesOf = (...addresses: string[]): Names => ({
  addresses,
  isDown: false,
  resolve() {
    if (this.isDown) return Promise.reject(new Error('queryA ETIMEOUT payments.test'));
    return Promise.resolve([...this.addresses]);
  },
});

export interface ReplicatedGateway {
  gateway: TestGateway;
  names: Names;
  /** Starts another replica on the shared port; it is found once its address is among the names. */
  start(address: string): Promise<ReplicaStub>;
  replicas: ReplicaStub[];
  close(): Promise<void>;
}

/** A gateway in front of replicas of payments that it finds by name, on 127.0.0.1, 127.0.0.2 and so on. */
export async function startReplicated(count: number, parts: GatewayParts = {}): Promise<ReplicatedGateway> {
  const port = await freePort();
  const replicas: ReplicaStub[] = [];
  const start = async (address: string) => {
    const replica = await startReplica(address, port);
    replicas.push(replica);
    return replica;
  };
  for (let index = 1; index <= count; index += 1) await start(`127.0.0.${index}`);
  const names = namesOf(...replicas.map(({ address }) => address));
  const gateway = await startTestGateway({
    ...parts,
    serviceUrls: { payments: `http://payments.test:${port}` },
    limits: { rateScale: 0, ...parts.limits },
    follow: { resolve: () => names.resolve(''), ...parts.follow },
  });
  return {
    gateway,
    names,
    start,
    replicas,
    async close() {
      await gateway.close();
      for (const replica of replicas) await replica.kill();
    },
  };
}
