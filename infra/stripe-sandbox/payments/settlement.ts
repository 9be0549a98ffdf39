import { type Cause, emit } from '../events.ts';
import { newId } from '../ids.ts';
import type { BalanceTransaction, Charge } from '../objects.ts';
import { ZERO_DECIMAL } from './currencies.ts';

/** The account's payout currency: https://docs.stripe.com/payouts/multicurrency-settlement */
const SETTLEMENT_CURRENCY = 'usd';

/** Approximate US dollars per unit. In other currencies the account has its own bank account. */
const DOLLARS: Record<string, number> = {
  eur: 1.16,
  gbp: 1.33,
  cad: 0.71,
  aud: 0.65,
  mxn: 0.054,
  brl: 0.18,
  cop: 0.00025,
  ars: 0.0007,
  clp: 0.00107,
  pen: 0.29,
  uyu: 0.025,
  pyg: 0.000141,
  bob: 0.145,
  jpy: 0.0066,
  krw: 0.00069,
};

const smallestUnits = (currency: string): number => (ZERO_DECIMAL.has(currency) ? 1 : 100);

/** An amount (smallest units) in the account's currency. */
function converted(amount: number, currency: string) {
  const rate = DOLLARS[currency];
  if (currency === SETTLEMENT_CURRENCY || rate === undefined)
    return { amount, currency, exchange_rate: null };
  return {
    amount: Math.round((amount / smallestUnits(currency)) * rate * smallestUnits(SETTLEMENT_CURRENCY)),
    currency: SETTLEMENT_CURRENCY,
    exchange_rate: rate,
  };
}

/**
 * Creates the balance transaction of a paid charge. With capture_method `automatic_async`, the default, Stripe does
 * it later: https://docs.stripe.com/payments/payment-intents/asynchronous-capture
 */
export function settleCharge(cause: Cause, charge: Charge): Charge {
  const { amount, ...currency } = converted(charge.amount, charge.currency);
  const conversion = currency.exchange_rate === null ? 0 : Math.round(amount * 0.01);
  const moved = cause.tx.put(
    'balance_transactions',
    withNet({
      ...bare(charge.id, 'charge', cause.nowS),
      ...currency,
      amount,
      fee: Math.round(amount * 0.029) + 30 + conversion,
      description: (charge.description as string | null) ?? null,
    }),
  );
  const settled = cause.tx.put('charges', { ...charge, balance_transaction: moved.id });
  emit(cause, 'charge.updated', settled, { balance_transaction: null });
  return settled;
}

export const isSettled = ({ status, balance_transaction }: Charge): boolean =>
  status !== 'succeeded' || balance_transaction !== null;

/** A refund's balance transaction; Stripe keeps its fee. */
export const refundMovement = (
  { currency, amount }: { currency: string; amount: number },
  refundId: string,
  nowS: number,
): BalanceTransaction =>
  withNet({
    ...bare(refundId, 'refund', nowS),
    ...converted(-amount, currency),
    description: 'REFUND FOR CHARGE',
  });

const bare = (source: string, type: string, created: number) => ({
  id: newId('txn_3'),
  object: 'balance_transaction' as const,
  available_on: created + 2 * 24 * 60 * 60,
  balance_type: 'payments',
  created,
  fee: 0,
  fee_details: [],
  net: 0,
  reporting_category: type,
  source,
  status: 'pending',
  type,
});

function withNet(moved: BalanceTransaction): BalanceTransaction {
  const { amount, fee, currency } = moved;
  const description = 'Stripe processing fees';
  return {
    ...moved,
    net: amount - fee,
    fee_details:
      fee === 0 ? [] : [{ amount: fee, application: null, currency, description, type: 'stripe_fee' }],
  };
}
