import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { currentDraft } from './purchase/draft.ts';

/** Format of private links. */
export const isPrivateLink = (token: string): boolean => /^[\w-]{22}$/.test(token);

const OF_THE_BANK = ['payment_intent', 'payment_intent_client_secret', 'redirect_status', 'source_type'];

export interface Arrival {
  /** Paid a moment ago, in the app or through the bank's page, so the order may not exist yet. */
  isFromPayment: boolean;
  /** The bank's page reported no payment. */
  isRefused: boolean;
}

/**
 * How the visitor reached the order: from payment or by link. The bank's parameters give access to the payment, so they
 * are removed immediately.
 */
export function useArrival(): Arrival {
  const navigate = useNavigate();
  const { pathname, search, state } = useLocation();
  const [arrival] = useState((): Arrival => {
    const query = new URLSearchParams(search);
    const isRefused = query.get('redirect_status') === 'failed';
    const hasPaid = (state as { hasPaid?: boolean } | null)?.hasPaid ?? false;
    return { isFromPayment: hasPaid || OF_THE_BANK.some((name) => query.has(name)), isRefused };
  });
  useEffect(() => {
    const query = new URLSearchParams(search);
    if (!OF_THE_BANK.some((name) => query.has(name))) return;
    for (const name of OF_THE_BANK) query.delete(name);
    const kept = { ...(state as object | null), hasPaid: !arrival.isRefused };
    void navigate({ pathname, search: query.toString() }, { replace: true, state: kept });
  }, [navigate, pathname, search, state, arrival]);
  return arrival;
}

/** Address used for payment in this tab, for registration; undefined otherwise. */
export function useBuyersEmail(): string | undefined {
  const handedOver = (useLocation().state as { email?: string } | null)?.email;
  const [typed] = useState(() => currentDraft().email);
  return handedOver || typed || undefined;
}

/** Reference of a transfer that this tab has sent; undefined for others with the link, as it may hold a personal number. */
export const useSentReference = (): string | undefined =>
  (useLocation().state as { reference?: string } | null)?.reference;
