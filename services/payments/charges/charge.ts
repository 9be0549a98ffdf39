import { fromStripeAmount } from '@arboleda/contracts/money.ts';
import { readStripe, stripeCharge } from '../stripe/objects.ts';

/** What Stripe's charge says besides the payment itself. */
export interface ChargeFacts {
  chargeId: string;
  /** Stripe's own receipt. */
  receiptUrl?: string | undefined;
  fee: {
    /** What Stripe keeps and what it pays out, in the currency of its payouts. */
    feeMinor: number;
    netMinor: number;
    currency: string;
    /** Units of that currency for one of the payment's; absent when they are the same. */
    exchangeRate?: number | undefined;
  };
}

/**
 * @returns undefined while Stripe has not settled the charge, or it is only named.
 * @throws Problem when it is not as Stripe documents it
 */
export function chargeFacts(object: object | string | null | undefined): ChargeFacts | undefined {
  if (!object || typeof object === 'string') return undefined;
  const charge = readStripe(stripeCharge, object);
  const moved = charge.balance_transaction;
  if (!moved || typeof moved === 'string') return undefined;
  const currency = moved.currency.toUpperCase();
  return {
    chargeId: charge.id,
    receiptUrl: charge.receipt_url ?? undefined,
    fee: {
      feeMinor: fromStripeAmount(moved.fee, currency),
      netMinor: fromStripeAmount(moved.net, currency),
      currency,
      exchangeRate: moved.exchange_rate ?? undefined,
    },
  };
}
