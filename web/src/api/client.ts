import type { Api } from '@arboleda/contracts/api.ts';
import { answerOf, type CallParts, requestOf } from '@arboleda/contracts/client.ts';
import { ApiProblem, problemOf } from './problem.ts';

/** The answer to a call, e.g. `Answer<'GET /api/stats'>`. */
export type Answer<Key extends keyof Api> = Api[Key]['response'];
export type RequestBody<Key extends keyof Api> = Api[Key]['body'];
export type RequestQuery<Key extends keyof Api> = Partial<Api[Key]['query']>;

export interface CallOptions<Key extends keyof Api> {
  params?: Api[Key]['params'];
  query?: Api[Key]['query'];
  body?: Api[Key]['body'];
  headers?: Record<string, string>;
  /** The same key with the same body happens once, however often it is sent. */
  idempotencyKey?: string;
  /** The version decided on: refused as "precondition-failed" when there is a newer one. */
  ifMatch?: string;
  /** Ends the request when the caller lost interest. */
  signal?: AbortSignal;
  /** How long an answer may take; else the deadlines below. Infinity for what ends by `signal` alone, as a stream does. */
  timeoutMs?: number;
}

/** A read that takes longer has failed as far as a person who waits can tell; it can be asked again. */
export const READ_DEADLINE_MS = 12_000;
/** What changes something is given longer: giving up leaves in doubt whether it happened. */
const CHANGE_DEADLINE_MS = 20_000;
/** A file that has begun to come may take as long as a slow line needs: 5 MB at 400 kbit/s. */
const FILE_DEADLINE_MS = 120_000;

/**
 * Calls an endpoint by its key in contracts, `call('GET /api/track/{token}', { params: { token } })`.
 * @throws ApiProblem for every refusal, and with type "network" when no answer came.
 */
export async function call<Key extends keyof Api>(
  key: Key,
  options: CallOptions<Key> = {},
): Promise<Answer<Key>> {
  const isRead = key.startsWith('GET ');
  const deadlineMs = isRead ? READ_DEADLINE_MS : CHANGE_DEADLINE_MS;
  const { timeoutMs = deadlineMs, signal, headers, ...parts } = options;
  const { url, init } = requestOf(key, {
    ...parts,
    headers: { accept: 'application/json', 'accept-language': acceptLanguage(), ...headers },
  } as CallParts<Key>);
  const deadline = openDeadline(timeoutMs, signal);
  try {
    const response = await fetch(url, { ...init, signal: deadline.signal });
    if (!response.ok) throw await problemOf(response);
    if (response.status === 204) return undefined as Answer<Key>;
    if (isFile(response)) deadline.extendTo(FILE_DEADLINE_MS);
    return (await answerOf(response)) as Answer<Key>;
  } catch (error) {
    const isLate = deadline.isOver();
    if (error instanceof ApiProblem || (isCalledOff(error) && !isLate)) throw error;
    throw new ApiProblem({
      type: 'network',
      status: 0,
      title: isLate ? 'No answer in time' : 'No answer',
      isLate,
    });
  } finally {
    deadline.close();
  }
}

/** The language chosen here with the region of the browser: refusals come in the first, prices follow the second. */
function acceptLanguage(): string {
  const region = navigator.languages.map((tag) => /-([A-Z]{2})\b/.exec(tag)?.[1]).find(Boolean);
  const language = document.documentElement.lang || 'en';
  return region ? `${language}-${region}` : language;
}

const isCalledOff = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError';

const isFile = ({ headers }: Response): boolean =>
  !/\bjson\b|^text\/event-stream/.test(headers.get('content-type') ?? '');

/** Ends a request when its caller does, or by itself when the time is over. */
function openDeadline(timeoutMs: number, caller: AbortSignal | undefined) {
  const over = new AbortController();
  const end = () => over.abort(new DOMException('The answer took too long', 'TimeoutError'));
  // A timer of infinity would end at once.
  let timer = timeoutMs === Infinity ? undefined : setTimeout(end, timeoutMs);
  return {
    signal: caller ? AbortSignal.any([caller, over.signal]) : over.signal,
    isOver: () => over.signal.aborted,
    extendTo(ms: number) {
      if (timer === undefined || ms <= timeoutMs) return;
      clearTimeout(timer);
      timer = setTimeout(end, ms);
    },
    /** What a stream goes on to send has no deadline. */
    close: () => clearTimeout(timer),
  };
}
