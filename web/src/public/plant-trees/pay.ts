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
  | { kind: 'refused'; reason: Reason; message?: string | undefined; fields?: readonly string[] };

type Reason = 'card' | 'intent' | 'failed';

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
    const fields = error instanceof ApiProblem ? error.fields.map(({ path }) => path) : [];
    return { kind: 'refused', reason: 'intent', message: serversWords(error), fields };
  }
}

/** Whether the stored attempt has been paid already: after a reload, or when an answer was lost. */
export async function outcomeSoFar(
  stripe: Stripe,
  attempt: Attempt | undefined,
): Promise<Outcome | undefined> {
  if (!attempt?.clientSecret || !attempt.orderToken) return undefined;
  const { paymentIntent } = await stripe.retrievePaymentIntent(attempt.clientSecret);
  const paid = paymentIntent?.status === 'succeeded' || paymentIntent?.status === 'processing';
  return paid ? { kind: 'paid', orderToken: attempt.orderToken } : undefined;
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
  return (await outcomeSoFar(tools.stripe, attempt)) ?? refusal;
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

/** A refusal of ours speaks the buyer's language; a lost connection says nothing. */
const serversWords = (error: unknown): string | undefined =>
  error instanceof ApiProblem && error.status > 0 && error.type !== 'unknown' ? error.message : undefined;
