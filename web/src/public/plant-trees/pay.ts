import type { Stripe, StripeElements, StripeError } from '@stripe/stripe-js';
import type { Intent, IntentRequest } from '../../api/create-payment-intent.ts';
import { ApiProblem, isProblem } from '../../api/problem.ts';
import type { Attempt } from './draft.ts';

/** The purchase a payment is for. */
export interface Purchase {
  request: IntentRequest;
  /** Total shown to the buyer, minor units. */
  amountMinor: number;
}

export type Outcome =
  | { kind: 'paid'; orderToken: string }
  /** Prices are out of date: show the new ones and ask again. */
  | { kind: 'quote-expired' }
  /** Required fields are missing and marked. */
  | { kind: 'incomplete' }
  /** Stripe's own message about the card. */
  | { kind: 'refused'; reason: 'card'; message: string }
  /** No intent was created: a refusal of our server, undefined when it has no readable message. */
  | { kind: 'refused'; reason: 'intent'; problem: ApiProblem | undefined }
  /** "lost": Stripe could not be asked for the result. */
  | { kind: 'refused'; reason: 'failed' | 'lost' };

export interface Tools {
  stripe: Stripe;
  elements: StripeElements;
  createIntent: (body: IntentRequest, key: string) => Promise<Intent>;
  newKey: () => string;
  /** The draft's current attempt, and a function that stores each step immediately. */
  attempt: Attempt | undefined;
  keep: (attempt: Attempt | undefined) => void;
  returnUrl: (orderToken: string) => string;
}

/** Identifies a purchase independently of its quote. */
export function fingerprintOf({ request, amountMinor }: Purchase): string {
  const { trees, packageType, currency, customerEmail, customerName } = request;
  return JSON.stringify([trees, packageType, currency, customerEmail, customerName, amountMinor]);
}

/**
 * Runs one card payment to its end. Never pays after an intent has succeeded, and reuses the intent of the same
 * purchase.
 */
export async function pay(purchase: Purchase, tools: Tools): Promise<Outcome> {
  const before = await outcomeSoFar(tools.stripe, tools.attempt);
  if (before === 'unknown') return { kind: 'refused', reason: 'lost' };
  if (before) return before;
  const { error: incomplete } = await tools.elements.submit();
  if (incomplete)
    return incomplete.type === 'validation_error' ? { kind: 'incomplete' } : cardRefusal(incomplete);
  try {
    const attempt = await withIntent(purchase, tools);
    return await confirm(attempt, purchase.request, tools);
  } catch (error) {
    if (isProblem(error, 'quote-expired') || isProblem(error, 'quote-invalid')) {
      tools.keep(undefined);
      return { kind: 'quote-expired' };
    }
    return { kind: 'refused', reason: 'intent', problem: error instanceof ApiProblem ? error : undefined };
  }
}

/** Result of the stored attempt after a reload or lost answer; "unknown" when Stripe cannot be asked. */
export async function outcomeSoFar(
  stripe: Stripe,
  attempt: Attempt | undefined,
): Promise<Outcome | 'unknown' | undefined> {
  if (!attempt?.clientSecret || !attempt.orderToken) return undefined;
  const { paymentIntent, error } = await stripe.retrievePaymentIntent(attempt.clientSecret);
  const paid = paymentIntent?.status === 'succeeded' || paymentIntent?.status === 'processing';
  if (paid) return { kind: 'paid', orderToken: attempt.orderToken };
  const isSilent = error?.type === 'api_connection_error' || error?.type === 'api_error';
  return isSilent && attempt.isConfirming ? 'unknown' : undefined;
}

type Ready = Attempt & { clientSecret: string; orderToken: string };

async function withIntent(purchase: Purchase, tools: Tools): Promise<Ready> {
  const fingerprint = fingerprintOf(purchase);
  const known = tools.attempt?.fingerprint === fingerprint ? tools.attempt : undefined;
  if (known?.clientSecret && known.orderToken) return known as Ready;
  const attempt = known ?? { key: tools.newKey(), fingerprint, quote: purchase.request.quote };
  tools.keep(attempt);
  const intent = await tools.createIntent({ ...purchase.request, quote: attempt.quote }, attempt.key);
  const ready = { ...attempt, clientSecret: intent.client_secret, orderToken: intent.orderToken };
  tools.keep(ready);
  return ready;
}

async function confirm(attempt: Ready, request: IntentRequest, tools: Tools): Promise<Outcome> {
  const { clientSecret, orderToken } = attempt;
  tools.keep({ ...attempt, isConfirming: true });
  const { error, paymentIntent } = await tools.stripe.confirmPayment({
    elements: tools.elements,
    clientSecret,
    confirmParams: {
      return_url: tools.returnUrl(orderToken),
      payment_method_data: { billing_details: { name: request.customerName, email: request.customerEmail } },
    },
    redirect: 'if_required',
  });
  const status = error?.payment_intent?.status ?? paymentIntent?.status;
  if (status === 'succeeded' || status === 'processing') return { kind: 'paid', orderToken };
  const refusal: Outcome = error ? cardRefusal(error) : { kind: 'refused', reason: 'failed' };
  if (refusal.kind === 'refused' && refusal.reason === 'card') return refusal;
  // After a lost answer only Stripe knows the result.
  const outcome = await outcomeSoFar(tools.stripe, { ...attempt, isConfirming: true });
  return outcome === 'unknown' ? { kind: 'refused', reason: 'lost' } : (outcome ?? refusal);
}

/** Stripe's message for card problems; ours for technical ones. */
function cardRefusal(error: StripeError): Outcome {
  const isAboutCard =
    error.type === 'card_error' ||
    error.type === 'validation_error' ||
    error.code === 'payment_intent_authentication_failure';
  return isAboutCard && error.message
    ? { kind: 'refused', reason: 'card', message: error.message }
    : { kind: 'refused', reason: 'failed' };
}
