import { useState } from 'react';
import { useLocation, useNavigationType, useSearchParams } from 'react-router-dom';
import { currentDraft } from '../plant-trees/draft.ts';

/** What every private link looks like. */
export const isPrivateLink = (token: string): boolean => /^[\w-]{22}$/.test(token);

/**
 * Whether somebody came here from paying, in the app or over their bank's page, so that the order may still be on its
 * way; everybody else has followed a link.
 */
export function useArrival(): 'from-payment' | 'by-link' {
  const navigation = useNavigationType();
  const [query] = useSearchParams();
  const [cameInApp] = useState(navigation === 'PUSH');
  return cameInApp || query.has('payment_intent') || query.has('redirect_status')
    ? 'from-payment'
    : 'by-link';
}

/** The address that was paid with in this tab, to open an account with; undefined when nobody paid here. */
export function useBuyersEmail(): string | undefined {
  const handedOver = (useLocation().state as { email?: string } | null)?.email;
  const [typed] = useState(() => currentDraft().email);
  return handedOver || typed || undefined;
}
