import { useEffect, useState } from 'react';
import { useLocation, useNavigate, useNavigationType } from 'react-router-dom';
import { currentDraft } from '../plant-trees/draft.ts';

/** What every private link looks like. */
export const isPrivateLink = (token: string): boolean => /^[\w-]{22}$/.test(token);

const OF_THE_BANK = ['payment_intent', 'payment_intent_client_secret', 'redirect_status', 'source_type'];

export interface Arrival {
  /** Paid a moment ago, in the app or over their bank's page, so that the order may still be on its way. */
  isFromPayment: boolean;
  /** The bank's page said that it was not paid. */
  isRefused: boolean;
}

/**
 * How somebody came to an order: from paying, or by a link. What the bank's page wrote into the address opens the
 * payment, so it is taken out at once.
 */
export function useArrival(): Arrival {
  const navigation = useNavigationType();
  const navigate = useNavigate();
  const { pathname, search, state } = useLocation();
  const [arrival] = useState((): Arrival => {
    const query = new URLSearchParams(search);
    return {
      isFromPayment: navigation === 'PUSH' || OF_THE_BANK.some((name) => query.has(name)),
      isRefused: query.get('redirect_status') === 'failed',
    };
  });
  useEffect(() => {
    const query = new URLSearchParams(search);
    if (!OF_THE_BANK.some((name) => query.has(name))) return;
    for (const name of OF_THE_BANK) query.delete(name);
    void navigate({ pathname, search: query.toString() }, { replace: true, state: state as unknown });
  }, [navigate, pathname, search, state]);
  return arrival;
}

/** The address that was paid with in this tab, to open an account with; undefined when nobody paid here. */
export function useBuyersEmail(): string | undefined {
  const handedOver = (useLocation().state as { email?: string } | null)?.email;
  const [typed] = useState(() => currentDraft().email);
  return handedOver || typed || undefined;
}
