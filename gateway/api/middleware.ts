import { releaseMemory } from '@arboleda/chassis/http/release-memory.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import { createProxyMiddleware, proxyEventsPlugin } from 'http-proxy-middleware';
import {
  Agent,
  type AgentOptions,
  type ClientRequest,
  type ClientRequestArgs,
  type IncomingMessage,
} from 'node:http';
import { connect, type NetConnectOpts, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { WITHHELD_HEADERS } from '../caller/headers.ts';
import { applyHeaders } from '../exchange.ts';
import { countBody } from './message.ts';
import type { Call } from './call.ts';
import type { Transport } from './pool.ts';

const CONNECT_WITHIN_MS = 1_000;

/**
 * Forwards calls of any kind, with bodies and answers of unlimited length.
 * @param stalledAfterMs timeout for an answer without progress
 * @param onAnswer gets each answer before it is forwarded
 */
export function openMiddleware(
  agent: Agent,
  stalledAfterMs: number,
  onAnswer: (call: Call, answer: IncomingMessage) => void = () => undefined,
): Transport {
  const calls = new WeakMap<IncomingMessage, Call>();
  const proxy = createProxyMiddleware({
    router: (request) => calls.get(request)!.replica.url,
    changeOrigin: true,
    agent,
    // The library's own plugins reveal host and path in errors, and build a log line for each request.
    ejectPlugins: true,
    plugins: [proxyEventsPlugin],
    on: {
      proxyReq(upstream, request) {
        const call = calls.get(request);
        if (!call) return;
        if (!call.connected(() => upstream.destroy())) return void upstream.destroy();
        countBody(request, call.route.maxBodyBytes, () => call.refuse(new Problem('body-too-large')));
        if (call.route.isUpload) spendPieces(upstream);
        upstream.once('response', () => upstream.setTimeout(stalledAfterMs, () => upstream.destroy()));
      },
      proxyRes(answer, request) {
        const call = calls.get(request);
        if (!call) return;
        if (!call.answered(answer.statusCode ?? 500, answer.headers)) return void answer.resume();
        onAnswer(call, answer);
        for (const name of WITHHELD_HEADERS) delete answer.headers[name];
        answer.headers.connection = call.exchange.response.shouldKeepAlive ? 'keep-alive' : 'close';
        applyHeaders(call.exchange);
      },
      error: (error, request) => calls.get(request)?.failed(error),
    },
  });
  return {
    send(call) {
      const { request, response } = call.exchange;
      calls.set(request, call);
      request.headers = call.headers;
      void proxy(request, response);
    },
    close: () => agent.destroy(),
  };
}

/** Frees the memory of each chunk of a body after it is sent: see docs/decisions/14. */
function spendPieces(upstream: ClientRequest): void {
  const write = upstream.write.bind(upstream) as (
    piece: Buffer,
    then: (error?: Error | null) => void,
  ) => boolean;
  upstream.write = (piece: Buffer) =>
    write(piece, (error) => {
      if (!error) releaseMemory(piece);
    });
}

/**
 * Gives a request its connection once established. Until then the body is not read, so a call without a
 * connection can go to another replica.
 */
export class ConnectFirstAgent extends Agent {
  readonly #open: (options: NetConnectOpts) => Socket;

  constructor(options: AgentOptions, open: (options: NetConnectOpts) => Socket = connect) {
    super(options);
    this.#open = open;
  }

  override createConnection(
    options: ClientRequestArgs,
    done?: (error: Error | null, socket: Duplex) => void,
  ): undefined {
    const socket = this.#open(options as NetConnectOpts);
    const late = setTimeout(() => {
      socket.destroy(Object.assign(new Error('no connection in time'), { code: 'ETIMEDOUT' }));
    }, CONNECT_WITHIN_MS);
    const failed = (error: Error) => {
      clearTimeout(late);
      done?.(error, socket);
    };
    socket.once('error', failed).once('connect', () => {
      clearTimeout(late);
      socket.off('error', failed);
      done?.(null, socket);
    });
  }
}
