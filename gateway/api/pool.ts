import { Problem } from '@arboleda/contracts/problems.ts';
import type { IncomingHttpHeaders } from 'node:http';
import { Agent, Client, type Dispatcher, Pool } from 'undici';
import { answerHeaders } from '../caller/headers.ts';
import { endWith } from '../answer.ts';
import type { Exchange } from '../exchange.ts';
import { whenWhole } from './body.ts';
import type { HeldAnswer } from './cache/revalidation.ts';
import type { Carrier, Connection, Course, Passage } from './passage.ts';

export interface PoolOptions {
  /** To one replica at a time; calls beyond wait for their turn. */
  connections: number;
  /** How long a connection is kept that nobody uses. */
  idleMs: number;
  /** How long an answer may stand still. */
  stalledAfterMs: number;
}

const CONNECT_WITHIN_MS = 1_000;

/** Carries plain calls and what may be held here: see docs/decisions/0021 and 0023. */
export function openPool({ connections, idleMs, stalledAfterMs }: PoolOptions, course: Course): Carrier {
  const agent = new Agent({
    connections,
    keepAliveTimeout: idleMs,
    keepAliveMaxTimeout: idleMs,
    connect: { timeout: CONNECT_WITHIN_MS },
    // A call's own deadline comes first. As long as an idle connection is kept, so that one timer is only set anew.
    headersTimeout: idleMs,
    bodyTimeout: Math.min(idleMs, stalledAfterMs),
    factory: (origin, options: Pool.Options) => new Pool(origin, { ...options, factory: openLine }),
  });
  return {
    carry(passage) {
      const { request, response } = passage.exchange;
      const dispatch = (body: Buffer | null) => {
        if (response.headersSent || response.destroyed) return;
        passage.body = body;
        const { url: path, method } = request as { url: string; method: Dispatcher.HttpMethod };
        const { headers, replica } = passage;
        const handing = new Handing(passage, course, stalledAfterMs);
        agent.dispatch({ origin: replica.url, path, method, headers, body }, handing);
      };
      if (passage.body === undefined) whenWhole(passage.exchange, dispatch);
      else dispatch(passage.body);
    },
    close: () => void agent.destroy(),
  };
}

/** Answers a call from memory. @param stalledAfterMs how long the caller may stand still */
export function sendHeld(
  { response, headers, endings }: Exchange,
  { status, head, bytes }: HeldAnswer,
  stalledAfterMs: number,
): void {
  endWith(response.writeHead(status, headers.concat(head)), bytes);
  if (bytes.length === 0) return;
  // Who reads slowly may; who has stopped to does not keep the connection.
  const stalled = setTimeout(() => response.destroy(), stalledAfterMs);
  endings.push(() => clearTimeout(stalled));
}

const openLine = (origin: URL, options: object): Dispatcher => new Line(origin, options);

/** A connection, or the next one in its place, that knows how many calls it has served. */
class Line extends Client {
  served = 0;
  constructor(origin: URL, options: Client.Options) {
    super(origin, options);
    this.on('connect', () => (this.served = 0));
  }
  override dispatch(options: Dispatcher.DispatchOptions, handing: Handing): boolean {
    handing.line = this;
    return super.dispatch(options, handing);
  }
}

/** Hands the answer to one attempt on as it comes. */
class Handing implements Dispatcher.DispatchHandler, Connection {
  line: Line | undefined;
  wasReused = false;
  readonly #passage: Passage;
  readonly #course: Course;
  readonly #stalledAfterMs: number;
  #controller: Dispatcher.DispatchController | undefined;
  #hasBegun = false;
  #isOver = false;
  /** Bytes that are still to come, where that is known. */
  #left = Number.NaN;

  constructor(passage: Passage, course: Course, stalledAfterMs: number) {
    this.#passage = passage;
    this.#course = course;
    this.#stalledAfterMs = stalledAfterMs;
  }

  cut(): void {
    if (!this.#isOver) this.#controller?.abort(new Error('left'));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    this.wasReused = this.line!.served++ > 0;
    if (!this.#course.connected(this.#passage, this)) this.cut();
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    // What comes before an answer is for this hop.
    if (status < 200 || !this.#course.answered(this.#passage, status, headers)) return;
    const { exchange, revalidation } = this.#passage;
    this.#hasBegun = true;
    const held = revalidation?.begin(status, headers);
    if (held) return sendHeld(exchange, held, this.#stalledAfterMs);
    exchange.response.writeHead(status, exchange.headers.concat(answerHeaders(status, headers)));
    this.#left = Number(headers['content-length']);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const { response } = this.#passage.exchange;
    if (!this.#hasBegun) return;
    this.#passage.revalidation?.add(chunk);
    this.#left -= chunk.length;
    if (this.#left !== 0) {
      if (!response.write(chunk)) this.#wait(controller);
    } else endWith(response, chunk);
  }

  /** For a caller who reads slowly. */
  #wait(controller: Dispatcher.DispatchController): void {
    controller.pause();
    this.#passage.deadline = setTimeout(() => this.cut(), this.#stalledAfterMs);
    this.#passage.exchange.response.once('drain', () => {
      clearTimeout(this.#passage.deadline);
      controller.resume();
    });
  }

  onResponseEnd(): void {
    this.#isOver = true;
    const { response } = this.#passage.exchange;
    if (this.#hasBegun && !response.writableEnded) response.end();
  }

  onResponseError(controller: Dispatcher.DispatchController | null, error: Error): void {
    if (this.#hasBegun) this.#passage.exchange.response.destroy();
    // It was not even tried: nobody but the caller is to blame.
    else if (controller === null) this.#course.refuse(this.#passage, new Problem('malformed-request'));
    else this.#course.failed(this.#passage, error);
  }
}
