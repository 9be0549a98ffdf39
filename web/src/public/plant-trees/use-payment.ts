import type { Stripe, StripeElements } from '@stripe/stripe-js';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { createPaymentIntent } from '../../api/create-payment-intent.ts';
import { PACKAGE_PRICES_KEY, type PackagePrices } from '../../api/packages.ts';
import { useFormats } from '../../i18n/format.ts';
import { changeDraft, clearDraft, currentDraft } from './draft.ts';
import { outcomeSoFar, pay, type Outcome } from './pay.ts';
import { totalOf, type Selection, type Total } from './selection.ts';

interface Checkout {
  stripe: Stripe | null;
  elements: StripeElements | null;
  selection: Selection;
  total: Total;
  quote: string | undefined;
}

interface Buyer {
  name: string;
  email: string;
}

interface Payment {
  /** Pays; answers the request's fields that the server refused. */
  pay: (buyer: Buyer) => Promise<readonly string[]>;
  isWorking: boolean;
  /** What went wrong, in the buyer's language. */
  problem: string | undefined;
}

/** One card payment at a time, and on to the order's page when it is done. */
export function usePayment({ stripe, elements, selection, total, quote }: Checkout): Payment {
  const { t, i18n } = useTranslation('checkout');
  const formats = useFormats();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [problem, setProblem] = useState<string>();
  const busy = useRef(false);

  const finish = (orderToken: string) => {
    clearDraft();
    void navigate(`/orders/${orderToken}`);
  };

  // A reload in the middle of a payment: when that one went through, there is nothing to pay any more.
  useEffect(() => {
    if (!stripe) return;
    let gone = false;
    void outcomeSoFar(stripe, currentDraft().attempt).then((outcome) => {
      if (!gone && outcome?.kind === 'paid') finish(outcome.orderToken);
    });
    return () => {
      gone = true;
    };
    // Only when the library arrives; finish is new on every render.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [stripe]);

  const mutation = useMutation({
    mutationFn: async ({ name, email }: Buyer): Promise<Outcome | { kind: 'not-ready'; text: string }> => {
      if (!stripe) return { kind: 'not-ready', text: t('errors.notLoaded') };
      if (!elements?.getElement('payment')) return { kind: 'not-ready', text: t('errors.noCard') };
      const request = {
        trees: total.trees,
        packageType: selection.packageType,
        currency: total.currency as 'USD',
        customerEmail: email,
        customerName: name,
        locale: i18n.language,
        quote,
      };
      return pay(
        { request, amountMinor: total.amountMinor },
        {
          stripe,
          elements,
          createIntent: createPaymentIntent,
          newKey: () => crypto.randomUUID(),
          attempt: currentDraft().attempt,
          keep: (attempt) => changeDraft({ attempt }),
          returnUrl: (orderToken) => `${window.location.origin}/orders/${orderToken}`,
        },
      );
    },
  });

  const newTotal = async (): Promise<string> => {
    await queryClient.refetchQueries({ queryKey: PACKAGE_PRICES_KEY });
    const prices = queryClient.getQueryData<PackagePrices>(PACKAGE_PRICES_KEY);
    const { amountMinor, currency } = prices ? totalOf(selection, prices) : total;
    return formats.money(amountMinor, currency);
  };

  return {
    isWorking: mutation.isPending,
    problem,
    pay: async (buyer) => {
      if (busy.current) return [];
      busy.current = true;
      setProblem(undefined);
      const outcome = await mutation
        .mutateAsync(buyer)
        .catch((): Outcome => ({ kind: 'refused', reason: 'failed' }));
      busy.current = false;
      if (outcome.kind === 'paid') finish(outcome.orderToken);
      if (outcome.kind === 'not-ready') setProblem(outcome.text);
      if (outcome.kind === 'quote-expired')
        setProblem(t('errors.quoteExpired', { amount: await newTotal() }));
      if (outcome.kind !== 'refused') return [];
      setProblem(outcome.message ?? (outcome.reason === 'intent' ? t('errors.intent') : t('errors.failed')));
      return outcome.fields ?? [];
    },
  };
}
