import type { Replica } from '@arboleda/chassis/http/replicas.ts';
import type { Logger } from '@arboleda/chassis/log.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import type { IncomingHttpHeaders } from 'node:http';
import { type Exchange, sendProblem } from '../exchange.ts';
import type { Shedder } from '../limits/shedder.ts';
import { hasBody } from './message.ts';
import type { Route } from './routes.ts';
import type { Upstreams } from './upstreams.ts';

const RETRY_AFTER_SECONDS = 2;
const MAX_ATTEMPTS = 3;
/** https://www.rfc-editor.org/rfc/rfc9110#name-idempotent-methods */
const IDEMPOTENT = new Set(['GET', 'HEAD', 'DELETE']);
/** The last is undici's code for the first. */
const CONNECTION_BROKE = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

export interface FailedAttempt {
  method: string;
  hasBody: boolean;
  /** Without a connection nothing was sent, and nothing of the body was read. */
  wasConnected: boolean;
  wasAnswered: boolean;
  code: string | undefined;
  attempts: number;
  hasOther: boolean;
}

/** Whether to retry a call: never when it may have been received and would count twice. */
export function mayRetry(attempt: FailedAttempt): boolean {
  if (attempt.attempts >= MAX_ATTEMPTS || attempt.wasAnswered) return false;
  if (!attempt.wasConnected) return attempt.hasOther;
  if (attempt.hasBody || !IDEMPOTENT.has(attempt.method)) return false;
  // A service may close an idle connection just as a call takes it, so the only replica gets a second try.
  return CONNECTION_BROKE.has(attempt.code ?? '') && (attempt.hasOther || attempt.attempts === 1);
}

export interface CallContext {
  upstreams: Upstreams;
  shedder: Pick<Shedder, 'begin'>;
  logger: Logger;
  /** Makes one attempt and reports its outcome to the call. */
  send(call: Call): void;
  now(): number;
}

/** A call to a service: sequential attempts until one is answered or none is left. */
export class Call {
  readonly exchange: Exchange;
  readonly route: Route;
  /** Headers for the service; see caller/headers.ts. */
  readonly headers: IncomingHttpHeaders;
  body: Buffer | null = null;
  replica!: Replica;
  /** Start of the current attempt, by the context's clock. */
  askedAt = 0;
  readonly #context: CallContext;
  readonly #deadline: NodeJS.Timeout;
  readonly #tried: Replica[] = [];
  #endCount: (() => void) | undefined;
  #cut: (() => void) | undefined;
  #wasAnswered = false;

  constructor(
    context: CallContext,
    exchange: Exchange,
    route: Route,
    headers: IncomingHttpHeaders,
    timeoutMs: number,
  ) {
    this.#context = context;
    this.exchange = exchange;
    this.route = route;
    this.headers = headers;
    this.#deadline = setTimeout(() => this.#late(), timeoutMs);
    exchange.endings.push(() => this.#end());
  }

  start(): void {
    if (!this.isOver) this.#attempt(this.#context.upstreams.of(this.route.service).pick());
  }

  /** Counts the call until its answer begins. */
  count(): void {
    if (!this.isOver && !this.#wasAnswered) this.#endCount ??= this.#context.shedder.begin(this.route);
  }

  /** Whether the caller has an answer or has left. */
  get isOver(): boolean {
    const { response } = this.exchange;
    return response.headersSent || response.destroyed;
  }

  /** @returns whether the call should still be sent */
  connected(cut: () => void): boolean {
    if (this.isOver) return false;
    this.#cut = cut;
    return true;
  }

  /** An answer begins. @returns whether to forward it to the caller */
  answered(status: number, headers: IncomingHttpHeaders): boolean {
    clearTimeout(this.#deadline);
    this.#wasAnswered = true;
    this.#endCount?.();
    this.#record('answered');
    if (this.isOver) return false;
    if (!isForeignFailure(status, headers)) return true;
    this.#context.logger.error({ route: this.route.key, status }, 'a service failed without a problem');
    this.refuse(new Problem('internal'));
    return false;
  }

  failed({ code }: NodeJS.ErrnoException): void {
    if (this.isOver) return;
    const { request } = this.exchange;
    const replicas = this.#context.upstreams.of(this.route.service);
    const wasConnected = this.#cut !== undefined;
    if (!wasConnected) replicas.unreached(this.replica);
    this.#record(wasConnected ? 'cut' : 'unreached');
    const next = replicas.pick(this.#tried);
    const again = mayRetry({
      method: request.method ?? '',
      hasBody: hasBody(request),
      wasConnected,
      wasAnswered: this.#wasAnswered,
      code,
      attempts: this.#tried.length,
      hasOther: !this.#tried.includes(next),
    });
    if (again) return this.#attempt(next);
    this.#context.logger.warn(
      { route: this.route.key, replica: this.replica.name, code },
      'a service does not answer',
    );
    this.refuse(new Problem('unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS }));
  }

  refuse(problem: Problem): void {
    clearTimeout(this.#deadline);
    sendProblem(this.exchange, problem);
    this.#cut?.();
  }

  #attempt(replica: Replica): void {
    this.replica = replica;
    this.askedAt = this.#context.now();
    this.#tried.push(replica);
    this.#cut = undefined;
    this.#context.send(this);
  }

  #late(): void {
    if (this.#tried.length > 0) this.#record('late');
    this.refuse(new Problem('timeout', { retryAfterSeconds: RETRY_AFTER_SECONDS }));
  }

  #end(): void {
    clearTimeout(this.#deadline);
    this.#endCount?.();
    this.#cut?.();
  }

  #record(outcome: 'answered' | 'unreached' | 'cut' | 'late'): void {
    this.#context.upstreams.count(this.route.service, this.replica, outcome);
  }
}

/** Our services report failures as problems; anything else may reveal internals. */
const isForeignFailure = (status: number, headers: IncomingHttpHeaders) =>
  status >= 500 && !headers['content-type']?.startsWith('application/problem+json');
