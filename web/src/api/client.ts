import type { Api } from '@arboleda/contracts/api.ts';
import { answerOf, type CallParts, requestOf } from '@arboleda/contracts/client.ts';
import { ApiProblem, problemOf } from './problem.ts';

/** Response type of a call: `Answer<'GET /api/stats'>`. */
export type Answer<Key extends keyof Api> = Api[Key]['response'];
export type RequestBody<Key extends keyof Api> = Api[Key]['body'];
export type RequestQuery<Key extends keyof Api> = Partial<Api[Key]['query']>;

export interface CallOptions<Key extends keyof Api> {
  params?: Api[Key]['params'];
  query?: Api[Key]['query'];
  body?: Api[Key]['body'];
  headers?: Record<string, string>;
  /** Repeating a key with the same body has no further effect. */
  idempotencyKey?: string;
  /** Version the change is based on; refused as "precondition-failed" when a newer one exists. */
  ifMatch?: string;
  signal?: AbortSignal;
  /** Overrides the deadlines below. Infinity for streams, which end only by `signal`. */
  timeoutMs?: number;
}

/** Longest acceptable wait for a read, which can simply be repeated. */
export const READ_DEADLINE_MS = 12_000;
/** Changes get longer, because after giving up it is unknown whether they happened. */
const CHANGE_DEADLINE_MS = 20_000;
/** A started download may take as long as a slow line needs: 5 MB at 400 kbit/s. */
const FILE_DEADLINE_MS = 120_000;

/**
 * Calls an endpoint by its contract key: `call('GET /api/track/{token}', { params: { token } })`.
 * @throws ApiProblem for every refusal, with type "network" when no answer came
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
    if (error instanceof ApiProblem || (isAborted(error) && !isLate)) throw error;
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

/** Chosen language with the browser's region: refusals use the former, prices the latter. */
function acceptLanguage(): string {
  const region = navigator.languages.map((tag) => /-([A-Z]{2})\b/.exec(tag)?.[1]).find(Boolean);
  const language = document.documentElement.lang || 'en';
  return region ? `${language}-${region}` : language;
}

const isAborted = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError';

const isFile = ({ headers }: Response): boolean =>
  !/\bjson\b|^text\/event-stream/.test(headers.get('content-type') ?? '');

/** Aborts a request with its caller or at the deadline. */
function openDeadline(timeoutMs: number, caller: AbortSignal | undefined) {
  const over = new AbortController();
  const end = () => over.abort(new DOMException('The answer took too long', 'TimeoutError'));
  // setTimeout treats Infinity as 0.
  let timer = timeoutMs === Infinity ? undefined : setTimeout(end, timeoutMs);
  return {
    signal: caller ? AbortSignal.any([caller, over.signal]) : over.signal,
    isOver: () => over.signal.aborted,
    extendTo(ms: number) {
      if (timer === undefined || ms <= timeoutMs) return;
      clearTimeout(timer);
      timer = setTimeout(end, ms);
    },
    /** Streams have no deadline after their headers. */
    close: () => clearTimeout(timer),
  };
}
