import type { Stripe, StripeElements, StripeError } from '@stripe/stripe-js';
import type { Intent, IntentRequest } from '../../api/create-payment-intent.ts';
import { ApiProblem, isProblem } from '../../api/problem.ts';
import type { Attempt } from './draft.ts';

/** What is to be paid for. */
export interface Purchase {
  request: IntentRequest;
  /** The total that the buyer sees and the button names. */
  amountMinor: number;
}

export type Outcome =
  | { kind: 'paid'; orderToken: string }
  /** Prices are out of date: show the new ones and ask again. */
  | { kind: 'quote-expired' }
  /** The buyer's fields are marked; nothing more to say. */
  | { kind: 'incomplete' }
  /** The provider's own sentence about the card. */
  | { kind: 'refused'; reason: 'card'; message: string }
  /** No intent: our server's refusal, or none when it said nothing that people understand. */
  | { kind: 'refused'; reason: 'intent'; problem: ApiProblem | undefined }
  /** "lost": the provider could not be asked what became of the payment. */
  | { kind: 'refused'; reason: 'failed' | 'lost' };

export interface Tools {
  stripe: Stripe;
  elements: StripeElements;
  createIntent: (body: IntentRequest, key: string) => Promise<Intent>;
  newKey: () => string;
  /** The attempt of this draft so far, and where each step of it is kept at once. */
  attempt: Attempt | undefined;
  keep: (attempt: Attempt | undefined) => void;
  returnUrl: (orderToken: string) => string;
}

/** The same purchase is the same attempt, whatever quote its prices came with. */
export function fingerprintOf({ request, amountMinor }: Purchase): string {
  const { trees, packageType, currency, customerEmail, customerName } = request;
  return JSON.stringify([trees, packageType, currency, customerEmail, customerName, amountMinor]);
}

/**
 * Takes one payment from the filled card fields to its end. An intent that already succeeded is never followed by
 * another, and the same purchase always goes on with the intent it has.
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

/**
 * Whether the stored attempt has been paid already: after a reload, or when an answer was lost. Unknown when it may
 * have been and the provider cannot be asked.
 */
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
  // An answer that was lost is not a payment that failed: Stripe knows.
  const outcome = await outcomeSoFar(tools.stripe, { ...attempt, isConfirming: true });
  return outcome === 'unknown' ? { kind: 'refused', reason: 'lost' } : (outcome ?? refusal);
}

/** The provider's own sentence where it is about the card; ours where it is about machines. */
function cardRefusal(error: StripeError): Outcome {
  const isAboutCard =
    error.type === 'card_error' ||
    error.type === 'validation_error' ||
    error.code === 'payment_intent_authentication_failure';
  return isAboutCard && error.message
    ? { kind: 'refused', reason: 'card', message: error.message }
    : { kind: 'refused', reason: 'failed' };
}
