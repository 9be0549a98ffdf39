import { spend } from '@arboleda/chassis/http/spent.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import { createProxyMiddleware, proxyEventsPlugin } from 'http-proxy-middleware';
import type { Agent, ClientRequest, IncomingMessage } from 'node:http';
import { WITHHELD_HEADERS } from '../caller/headers.ts';
import { applyHeaders } from '../headers.ts';
import { countBody } from './body.ts';
import type { Carrier, Course, Passage } from './passage.ts';

/** Carries calls of any kind: bodies and answers of any length and without end. */
export function openMiddleware(
  { agent, stalledAfterMs }: { agent: Agent; stalledAfterMs: number },
  course: Course,
  /** Hears of each answer before it is handed on. */
  onHandOn: (passage: Passage, answer: IncomingMessage) => void = () => undefined,
): Carrier {
  const passages = new WeakMap<IncomingMessage, Passage>();
  const proxy = createProxyMiddleware({
    router: (request) => passages.get(request)!.replica.url,
    changeOrigin: true,
    agent,
    // Its own plugins answer with host and path, and build a log line for each request.
    ejectPlugins: true,
    plugins: [proxyEventsPlugin],
    on: {
      proxyReq(upstream, request) {
        const passage = passages.get(request);
        if (!passage) return;
        const wasReused = upstream.reusedSocket;
        if (!course.connected(passage, { wasReused, cut: () => upstream.destroy() })) {
          return void upstream.destroy();
        }
        countBody(request, passage.route.maxBodyBytes, () =>
          course.refuse(passage, new Problem('body-too-large')),
        );
        if (passage.route.isUpload) spendPieces(upstream);
        // A service that stops in the middle of an answer holds no connection for ever.
        upstream.once('response', () => upstream.setTimeout(stalledAfterMs, () => upstream.destroy()));
      },
      proxyRes(answer, request) {
        const passage = passages.get(request);
        if (!passage) return;
        if (!course.answered(passage, answer.statusCode ?? 500, answer.headers)) return void answer.resume();
        for (const name of WITHHELD_HEADERS) delete answer.headers[name];
        const { response } = passage.exchange;
        answer.headers.connection = response.shouldKeepAlive ? 'keep-alive' : 'close';
        applyHeaders(passage.exchange);
        onHandOn(passage, answer);
      },
      error(error, request) {
        const passage = passages.get(request);
        if (passage) course.failed(passage, error);
      },
    },
  });
  return {
    carry(passage) {
      const { request, response } = passage.exchange;
      passages.set(request, passage);
      request.headers = passage.headers;
      void proxy(request, response);
    },
    close: () => agent.destroy(),
  };
}

/** Gives the memory of each piece of a body back as soon as it has gone on: see docs/decisions/0026. */
function spendPieces(upstream: ClientRequest): void {
  const write = upstream.write.bind(upstream) as (
    piece: Buffer,
    then: (error?: Error | null) => void,
  ) => boolean;
  upstream.write = (piece: Buffer) =>
    write(piece, (error) => {
      if (!error) spend(piece);
    });
}
