import type { Stripe, StripeElements, StripeError } from '@stripe/stripe-js';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { createPaymentIntent, type Intent, type IntentRequest } from '../../../api/create-payment-intent.ts';
import { ApiProblem, isProblem, type ProblemField } from '../../../api/problem.ts';
import { giftToSend } from '../../../order/gift/gift-form.ts';
import type { PayingCustomer } from '../../../order/purchase/buyer.ts';
import { type CheckoutProblem, useNewTotal, useProblemWords } from '../checkout-problem.ts';
import { type Attempt, changeDraft, clearDraft, currentDraft } from '../../../order/purchase/draft.ts';
import type { PricedSelection } from '../selection.ts';

/** The purchase a payment is for. */
export interface Purchase {
  request: IntentRequest;
  /** Total shown to the buyer, minor units. */
  amountMinor: number;
}

type Outcome =
  | { kind: 'paid'; orderToken: string }
  /** Prices are out of date: show the new ones and ask again. */
  | { kind: 'quote-expired' }
  /** Required fields are missing and marked. */
  | { kind: 'incomplete' }
  | { kind: 'refused'; reason: 'card'; message: string }
  /** No intent was created: a refusal of our server, undefined when it has no readable message. */
  | { kind: 'refused'; reason: 'intent'; problem: ApiProblem | undefined }
  /** "failed": nothing was charged. "lost": Stripe could not be asked for the result. */
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
function fingerprintOf({ request, amountMinor }: Purchase): string {
  const { quote: _quote, locale: _locale, ...asked } = request;
  return JSON.stringify([asked, amountMinor]);
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
async function outcomeSoFar(
  stripe: Stripe,
  attempt: Attempt | undefined,
): Promise<Outcome | 'unknown' | undefined> {
  if (!attempt?.clientSecret || !attempt.orderToken) return undefined;
  const { paymentIntent, error } = await stripe.retrievePaymentIntent(attempt.clientSecret);
  const paid = paymentIntent?.status === 'succeeded' || paymentIntent?.status === 'processing';
  if (paid) return { kind: 'paid', orderToken: attempt.orderToken };
  const isSilent = error !== undefined && error.type !== 'invalid_request_error';
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

/** Stripe's elements of a card payment; wallets have their own. */
export interface PaymentElements {
  stripe: Stripe;
  elements: StripeElements;
}

export interface Payment {
  /** Pays; returns whether it succeeded and the fields the server refused. Does nothing while busy. */
  pay: (
    customer: PayingCustomer,
    elements: PaymentElements,
  ) => Promise<{ isPaid: boolean; fields: readonly ProblemField[] }>;
  isWorking: boolean;
  problem: CheckoutProblem | undefined;
  setProblem: (problem: CheckoutProblem | undefined) => void;
}

/** Runs one card payment at a time, then opens the order page. */
export function usePayment(
  stripe: Stripe | undefined,
  { selection, total, quote }: PricedSelection,
  onDone: (orderToken: string) => void,
): Payment {
  const { t, i18n } = useTranslation('checkout');
  const navigate = useNavigate();
  const wordsFor = useProblemWords();
  const newTotal = useNewTotal(selection);
  const [problem, setProblem] = useState<CheckoutProblem>();
  const busy = useRef(false);

  const finish = (orderToken: string) => {
    onDone(orderToken);
    clearDraft();
    void navigate(`/orders/${orderToken}`, { state: { hasPaid: true } });
  };

  // After a reload in the middle of a payment, the payment may already have succeeded.
  useEffect(() => {
    if (!stripe) return;
    let gone = false;
    void outcomeSoFar(stripe, currentDraft().attempt).then((outcome) => {
      if (!gone && outcome && outcome !== 'unknown' && outcome.kind === 'paid') finish(outcome.orderToken);
    });
    return () => {
      gone = true;
    };
    // Only when the library arrives; finish is new on every render.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [stripe]);

  const mutation = useMutation({
    // Offline must fail immediately instead of pausing.
    networkMode: 'always',
    mutationFn: async ({
      customer,
      elements,
    }: {
      customer: PayingCustomer;
      elements: PaymentElements;
    }): Promise<Outcome> => {
      if (!total) return { kind: 'incomplete' };
      const gift = giftToSend(currentDraft());
      const request = {
        trees: total.trees,
        packageType: selection.packageType,
        currency: total.currency as 'USD',
        ...customer,
        locale: i18n.language,
        quote,
        ...(gift && { gift }),
      };
      return pay(
        { request, amountMinor: total.amountMinor },
        {
          ...elements,
          createIntent: createPaymentIntent,
          newKey: () => crypto.randomUUID(),
          attempt: currentDraft().attempt,
          keep: (attempt) => changeDraft({ attempt }),
          returnUrl: (orderToken) => `${window.location.origin}/orders/${orderToken}`,
        },
      );
    },
  });

  const problemOfOutcome = (outcome: Outcome & { kind: 'refused' }): CheckoutProblem => {
    if (outcome.reason === 'card')
      return { text: outcome.message, hint: t('errors.declined'), isDeclined: true };
    if (outcome.reason !== 'intent') return { text: t(`errors.${outcome.reason}`) };
    const { text, hint } = wordsFor(outcome.problem, t('errors.intent'));
    if (text === t('errors.intent')) return { text, hint };
    return { text, hint: [t('errors.nothingCharged'), hint].filter(Boolean).join(' ') };
  };

  return {
    isWorking: mutation.isPending,
    problem,
    setProblem,
    pay: async (customer, elements) => {
      if (busy.current) return { isPaid: false, fields: [] };
      busy.current = true;
      setProblem(undefined);
      const outcome = await mutation.mutateAsync({ customer, elements }).catch((): Outcome => ({
        kind: 'refused',
        reason: currentDraft().attempt?.isConfirming ? 'lost' : 'failed',
      }));
      busy.current = false;
      if (outcome.kind === 'paid') finish(outcome.orderToken);
      if (outcome.kind === 'quote-expired')
        setProblem({ text: t('errors.quoteExpired', { amount: await newTotal() }) });
      if (outcome.kind === 'refused') setProblem(problemOfOutcome(outcome));
      const isRefused = outcome.kind === 'refused' && outcome.reason === 'intent';
      return {
        isPaid: outcome.kind === 'paid',
        fields: isRefused ? (outcome.problem?.fields ?? []) : [],
      };
    },
  };
}
