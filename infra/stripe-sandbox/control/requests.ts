import { invalidRequest } from '../http/errors.ts';
import type { Release } from './order.ts';

type Body = Record<string, unknown>;

const body = (given: unknown): Body =>
  typeof given === 'object' && given !== null && !Array.isArray(given) ? (given as Body) : {};

function choice<const T extends string>(given: unknown, param: string, allowed: T[]): T | undefined {
  if (given === undefined || allowed.includes(given as T)) return given as T | undefined;
  throw invalidRequest(`${param} must be one of ${allowed.join(', ')}`, { param });
}

function eventIds(given: unknown): string[] | undefined {
  if (given === undefined) return undefined;
  if (Array.isArray(given) && given.every((id) => typeof id === 'string')) return given;
  throw invalidRequest('events must be a list of event ids', { param: 'events' });
}

/** PUT /sandbox/webhooks */
export function modeRequest(given: unknown) {
  const { mode, url } = body(given);
  if (url !== undefined && (typeof url !== 'string' || !URL.canParse(url))) {
    throw invalidRequest('url must be an address', { param: 'url' });
  }
  return { mode: choice(mode, 'mode', ['deliver', 'hold', 'lose']), url };
}

/** POST /sandbox/webhooks/release */
export function releaseRequest(given: unknown): Release {
  const { events, order } = body(given);
  return { events: eventIds(events), order: choice(order, 'order', ['created', 'reversed', 'shuffled']) };
}

/** POST /sandbox/webhooks/lose */
export const loseRequest = (given: unknown) => ({ events: eventIds(body(given).events) });

/** POST /sandbox/events/:id/repeat */
export function repeatRequest(given: unknown): { times: number } {
  const { times = 1 } = body(given);
  if (typeof times === 'number' && Number.isInteger(times) && times >= 1 && times <= 100) return { times };
  throw invalidRequest('times must be a whole number from 1 to 100', { param: 'times' });
}

/** POST /sandbox/disputes */
export function disputeRequest(given: unknown): {
  charge: string;
  amount: number | undefined;
  reason: string;
} {
  const { charge, amount, reason = 'fraudulent' } = body(given);
  if (typeof charge !== 'string')
    throw invalidRequest('charge must be the id of a charge', { param: 'charge' });
  if (amount !== undefined && (!Number.isInteger(amount) || (amount as number) < 1)) {
    throw invalidRequest('amount must be a whole number of smallest units', { param: 'amount' });
  }
  return { charge, amount: amount as number | undefined, reason: String(reason) };
}

/** POST /sandbox/payment_intents/:id/settle */
export const settleRequest = (given: unknown) => ({
  outcome: choice(body(given).outcome, 'outcome', ['succeeded', 'failed']) ?? 'succeeded',
});

/** POST /sandbox/disputes/:id/close */
export const closeRequest = (given: unknown) => ({
  outcome: choice(body(given).outcome, 'outcome', ['won', 'lost']) ?? 'lost',
});
