import { Problem } from '@arboleda/contracts/problems.ts';
import type { IncomingHttpHeaders } from 'node:http';
import { Agent, type Dispatcher } from 'undici';
import { answerHeaders } from '../caller/headers.ts';
import { endWith } from '../exchange.ts';
import type { Call } from './call.ts';

const CONNECT_WITHIN_MS = 1_000;

export interface Transport {
  send(call: Call): void;
  close(): void;
}

/**
 * Sends short JSON calls with undici: see docs/decisions/10.
 * @param connections per replica; further calls wait
 * @param idleMs how long an unused connection is kept
 * @param stalledAfterMs timeout for an answer or its reader without progress
 */
export function openPool({
  connections,
  idleMs,
  stalledAfterMs,
}: {
  connections: number;
  idleMs: number;
  stalledAfterMs: number;
}): Transport {
  const agent = new Agent({
    connections,
    keepAliveTimeout: idleMs,
    keepAliveMaxTimeout: idleMs,
    connect: { timeout: CONNECT_WITHIN_MS },
    // A call's own deadline comes first. The same value as the idle timeout lets undici reuse one timer.
    headersTimeout: idleMs,
    bodyTimeout: Math.min(idleMs, stalledAfterMs),
  });
  return {
    send(call) {
      const { url: path = '', method } = call.exchange.request;
      const { replica, headers, body } = call;
      agent.dispatch(
        { origin: replica.url, path, method: method as Dispatcher.HttpMethod, headers, body },
        new AnswerHandler(call, stalledAfterMs),
      );
    },
    close: () => void agent.destroy(),
  };
}

/** Forwards the answer to one attempt as it arrives. */
class AnswerHandler implements Dispatcher.DispatchHandler {
  readonly #call: Call;
  readonly #stalledAfterMs: number;
  #hasBegun = false;
  #isOver = false;
  /** Remaining bytes; NaN while unknown. */
  #left = Number.NaN;
  #stalled: NodeJS.Timeout | undefined;

  constructor(call: Call, stalledAfterMs: number) {
    this.#call = call;
    this.#stalledAfterMs = stalledAfterMs;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    const cut = () => {
      if (!this.#isOver) controller.abort(new Error('left'));
    };
    if (!this.#call.connected(cut)) cut();
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    // Informational answers are for this hop.
    if (status < 200 || !this.#call.answered(status, headers)) return;
    const { response, headers: own } = this.#call.exchange;
    this.#hasBegun = true;
    response.writeHead(status, own.concat(answerHeaders(status, headers)));
    this.#left = Number(headers['content-length']);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.#hasBegun) return;
    const { response } = this.#call.exchange;
    this.#left -= chunk.length;
    if (this.#left === 0) endWith(response, chunk);
    else if (!response.write(chunk)) this.#waitForReader(controller);
  }

  #waitForReader(controller: Dispatcher.DispatchController): void {
    const { response } = this.#call.exchange;
    controller.pause();
    this.#stalled = setTimeout(() => response.destroy(), this.#stalledAfterMs);
    response.once('drain', () => {
      clearTimeout(this.#stalled);
      controller.resume();
    });
  }

  onResponseEnd(): void {
    this.#isOver = true;
    const { response } = this.#call.exchange;
    if (this.#hasBegun && !response.writableEnded) response.end();
  }

  onResponseError(controller: Dispatcher.DispatchController | null, error: Error): void {
    this.#isOver = true;
    clearTimeout(this.#stalled);
    if (this.#hasBegun) this.#call.exchange.response.destroy();
    // undici refused it before sending: the caller's message is invalid.
    else if (controller === null) this.#call.refuse(new Problem('malformed-request'));
    else this.#call.failed(error);
  }
}
