import { call, type Answer, type RequestBody } from './client.ts';

export type IntentRequest = RequestBody<'POST /api/pricing/create-payment-intent'>;
export type Intent = Answer<'POST /api/pricing/create-payment-intent'>;

/** Creates a card payment. The same key returns the same intent. @throws ApiProblem */
export const createPaymentIntent = (body: IntentRequest, idempotencyKey: string): Promise<Intent> =>
  call('POST /api/pricing/create-payment-intent', { body, headers: { 'idempotency-key': idempotencyKey } });
