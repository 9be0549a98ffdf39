import type { Stripe, StripeElements } from '@stripe/stripe-js';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { createPaymentIntent } from '../../api/create-payment-intent.ts';
import type { ProblemField } from '../../api/problem.ts';
import type { CheckoutProblem } from './checkout-problem.ts';
import { changeDraft, clearDraft, currentDraft } from './draft.ts';
import { outcomeSoFar, pay, type Outcome } from './pay.ts';
import type { PricedSelection } from './selection.ts';
import { useNewTotal } from './use-new-total.ts';
import { useProblemWords } from './use-problem-words.ts';

export interface Buyer {
  name: string;
  email: string;
}

/** Stripe's elements of a card payment; wallets have their own. */
export interface PaymentElements {
  stripe: Stripe;
  elements: StripeElements;
}

export interface Payment {
  /** Pays; returns whether it succeeded and the fields the server refused. Does nothing while busy. */
  pay: (
    buyer: Buyer,
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
    void navigate(`/orders/${orderToken}`);
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
      buyer,
      elements,
    }: {
      buyer: Buyer;
      elements: PaymentElements;
    }): Promise<Outcome> => {
      if (!total) return { kind: 'incomplete' };
      const request = {
        trees: total.trees,
        packageType: selection.packageType,
        currency: total.currency as 'USD',
        customerEmail: buyer.email,
        customerName: buyer.name,
        locale: i18n.language,
        quote,
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

  const tell = (outcome: Outcome & { kind: 'refused' }): CheckoutProblem => {
    if (outcome.reason === 'card') return { text: outcome.message };
    if (outcome.reason === 'intent') return wordsFor(outcome.problem, t('errors.intent'));
    return {
      text: t('errors.failed'),
      hint: outcome.reason === 'lost' ? t('errors.lostConfirmation') : undefined,
    };
  };

  return {
    isWorking: mutation.isPending,
    problem,
    setProblem,
    pay: async (buyer, elements) => {
      if (busy.current) return { isPaid: false, fields: [] };
      busy.current = true;
      setProblem(undefined);
      const outcome = await mutation
        .mutateAsync({ buyer, elements })
        .catch((): Outcome => ({ kind: 'refused', reason: 'failed' }));
      busy.current = false;
      if (outcome.kind === 'paid') finish(outcome.orderToken);
      if (outcome.kind === 'quote-expired')
        setProblem({ text: t('errors.quoteExpired', { amount: await newTotal() }) });
      if (outcome.kind === 'refused') setProblem(tell(outcome));
      const isRefused = outcome.kind === 'refused' && outcome.reason === 'intent';
      return {
        isPaid: outcome.kind === 'paid',
        fields: isRefused ? (outcome.problem?.fields ?? []) : [],
      };
    },
  };
}
