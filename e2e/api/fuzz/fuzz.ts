import type { EndpointKey } from '@arboleda/contracts/endpoint.ts';
import type { Role } from '@arboleda/contracts/roles.ts';
import fc from 'fast-check';
import { changesSomething, type Operation } from '../operation.ts';
import { realParameters } from '../objects.ts';
import type { FilledProduct } from '../filled-product.ts';
import type { JudgeAnswer } from './answer.ts';
import { bodyToSend, type Example, exampleOf } from './request.ts';
import type { State } from './state.ts';

export interface Fuzzed {
  /** How often each status was answered. */
  statuses: Record<number, number>;
  /** Writing calls that were refused: what they must not have left anything of. */
  refused: readonly Example[];
}

/**
 * Sends examples to an operation, one after the other, and holds each answer to the description.
 * @throws with the smallest example that fails, and its seed
 */
export async function fuzz(
  operation: Operation,
  parts: { filled: FilledProduct; judge: JudgeAnswer; examples: number; seed: number },
): Promise<Fuzzed> {
  const { filled, judge, examples, seed } = parts;
  const send = openSender(operation, filled);
  const statuses: Fuzzed['statuses'] = {};
  const refused: Example[] = [];
  const property = fc.asyncProperty(
    exampleOf(operation, realParameters(operation.key, filled.objects)),
    async (example) => {
      const answer = await send(example);
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
      if (answer.status >= 400 && answer.status < 500) refused.push(example);
      const fault = judge(operation, answer);
      if (fault) throw new Error(`${operation.key}: ${fault}`);
    },
  );
  await fc.assert(property, { numRuns: examples, seed, endOnFailure: false });
  return { statuses, refused: changesSomething(operation) ? refused : [] };
}

/** Refusals that store something: the order's timeline records the step of a former worker. */
const REPORTED: Partial<Record<EndpointKey, number>> = { 'PUT /api/workers/assignments/{id}/status': 409 };

/**
 * Sends refused calls again while nothing else happens.
 * @returns the tables that refused calls changed; undefined when none did
 */
export async function leftovers(
  operation: Operation,
  refused: readonly Example[],
  parts: { filled: FilledProduct; state: State },
): Promise<string | undefined> {
  const { filled, state } = parts;
  const send = openSender(operation, filled);
  const mayStore = async (example: Example) => {
    const { status } = await send(example);
    return status < 400 || status === REPORTED[operation.key];
  };
  // Logs in.
  if (await mayStore(refused[0]!)) await state.settled();
  let left = refused;
  for (;;) {
    const before = await state.digest();
    const stillRefused: Example[] = [];
    for (const example of left) if (!(await mayStore(example))) stillRefused.push(example);
    const after = await state.digest();
    const changed = Object.keys(after).filter((table) => after[table] !== before[table]);
    const areAllRefused = stillRefused.length === left.length;
    if (!areAllRefused) await state.settled();
    if (changed.length === 0) return undefined;
    if (areAllRefused) return `something is left in ${changed.join(', ')} by ${JSON.stringify(left)}`;
    // A call that was refused before may be possible now: what the others leave shows without it.
    left = stillRefused;
  }
}

const STREAM_READ_MS = 50;

/** Somebody else each time: nobody guesses so often that they are slowed down. */
let calls = 0;
function nextAddress(): string {
  calls += 1;
  return `10.${(calls >> 16) & 255}.${(calls >> 8) & 255}.${calls & 255}`;
}

/** Sends as the caller that an example names; logs in again when a call ended the session. */
function openSender(operation: Operation, filled: FilledProduct) {
  const tokens = new Map<string, string>();
  const tokenOf = async (role: Role, who: 'owner' | 'other'): Promise<string> => {
    const known = tokens.get(role + who) ?? (await filled.token(role, who));
    tokens.set(role + who, known);
    return known;
  };
  const [role] = operation.roles;

  return async (example: Example): Promise<{ status: number; contentType: string; text: string }> => {
    const { body, type } = bodyToSend(example);
    const who = example.caller === 'other' ? 'other' : 'owner';
    const token = role && example.caller !== 'nobody' ? await tokenOf(role, who) : undefined;
    const leaving = new AbortController();
    const response = await fetch(filled.product.url + example.path, {
      method: operation.method,
      signal: leaving.signal,
      redirect: 'manual',
      body,
      headers: {
        ...example.headers,
        'X-Forwarded-For': nextAddress(),
        ...(type && { 'Content-Type': type }),
        ...(token && { Authorization: `Bearer ${token}` }),
      },
    });
    if (response.status === 401) tokens.clear();
    const contentType = response.headers.get('content-type') ?? '';
    if (contentType.startsWith('text/event-stream')) {
      setTimeout(() => leaving.abort(), STREAM_READ_MS);
      await response.text().catch(() => undefined);
      return { status: response.status, contentType, text: '' };
    }
    return { status: response.status, contentType, text: await response.text() };
  };
}
