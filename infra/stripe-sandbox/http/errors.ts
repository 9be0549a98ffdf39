import type { PaymentIntent, PaymentMethod } from '../objects.ts';

interface ErrorBody {
  type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error';
  message: string;
  code?: string;
  decline_code?: string;
  param?: string;
  charge?: string;
  payment_intent?: PaymentIntent;
  payment_method?: PaymentMethod;
}

/** An error of the API: `{ error: body }` with the HTTP status. */
export class StripeProblem extends Error {
  readonly status: number;
  readonly body: ErrorBody;
  /** Whether the request's changes are kept (a declined charge) or undone. */
  readonly keepsChanges: boolean;

  constructor(status: number, body: ErrorBody, keepsChanges = false) {
    super(body.message);
    this.status = status;
    this.body = body;
    this.keepsChanges = keepsChanges;
  }
}

type Details = Partial<Pick<ErrorBody, 'code' | 'param' | 'payment_intent' | 'charge'>> & { status?: number };

export function invalidRequest(message: string, { status = 400, ...rest }: Details = {}): StripeProblem {
  return new StripeProblem(status, { type: 'invalid_request_error', message, ...rest });
}

export const parameterMissing = (param: string): StripeProblem =>
  invalidRequest(`Missing required param: ${param}.`, { code: 'parameter_missing', param });

/** @param status 404 for an id in the path, 400 for one in a parameter */
export const noSuch = (kind: string, id: string, param: string, status: 400 | 404 = 404): StripeProblem =>
  invalidRequest(`No such ${kind}: '${id}'`, { code: 'resource_missing', param, status });

export const unexpectedState = (message: string, intent: PaymentIntent): StripeProblem =>
  invalidRequest(message, { code: 'payment_intent_unexpected_state', payment_intent: intent });
