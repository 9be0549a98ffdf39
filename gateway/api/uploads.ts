import { spend } from '@arboleda/chassis/http/spent.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import { type Agent, type ClientRequest, type IncomingMessage, request as ask } from 'node:http';
import { answerHeaders } from '../caller/headers.ts';
import { countBody } from './body.ts';
import type { Carrier, Course, Passage } from './passage.ts';

/** Carries calls with files: each piece goes on as it comes, and its memory back as soon as it has gone. See docs/decisions/0026. */
export function openUploads(
  { agent, stalledAfterMs }: { agent: Agent; stalledAfterMs: number },
  course: Course,
): Carrier {
  return {
    carry(passage) {
      const { exchange, headers, replica } = passage;
      const { method, url: path } = exchange.request;
      const { hostname, port } = new URL(replica.url);
      const upstream = ask({
        agent,
        hostname,
        port,
        method,
        path,
        headers: headers as Record<string, string>,
      });
      // Nothing of the body is read until there is a connection: without one, another replica may have the call.
      upstream.once('socket', () => {
        const wasReused = upstream.reusedSocket;
        if (!course.connected(passage, { wasReused, cut: () => upstream.destroy() })) upstream.destroy();
        else passOn(passage, upstream, course);
      });
      upstream.once('response', (answer) => {
        // A service that stops in the middle of an answer holds no connection for ever.
        upstream.setTimeout(stalledAfterMs, () => upstream.destroy());
        handBack(answer, passage, course);
      });
      upstream.on('error', (error) => course.failed(passage, error));
    },
    close: () => agent.destroy(),
  };
}

function passOn(passage: Passage, upstream: ClientRequest, course: Course): void {
  const { request } = passage.exchange;
  countBody(request, passage.route.maxBodyBytes, () => course.refuse(passage, new Problem('body-too-large')));
  request.on('data', (piece: Buffer) => {
    // What is left of a body that nobody wants any more is read and forgotten.
    if (upstream.destroyed) return spend(piece);
    const goesOn = upstream.write(piece, (error) => {
      if (!error) spend(piece);
    });
    if (!goesOn) request.pause();
  });
  request.once('end', () => upstream.end());
  upstream.on('drain', () => request.resume());
  upstream.once('close', () => request.resume());
}

function handBack(answer: IncomingMessage, passage: Passage, course: Course): void {
  const { exchange } = passage;
  const { response } = exchange;
  const status = answer.statusCode ?? 500;
  if (!course.answered(passage, status, answer.headers)) return void answer.resume();
  response.writeHead(status, exchange.headers.concat(answerHeaders(status, answer.headers)));
  answer.once('error', () => response.destroy());
  answer.pipe(response);
}
