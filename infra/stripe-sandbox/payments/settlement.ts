import { type Cause, emit, newId } from '../events.ts';
import type { BalanceTransaction, Charge } from '../objects.ts';
import { decimalsOf } from './amounts.ts';

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

/** An amount (smallest units) in the account's currency. */
function converted(amount: number, currency: string) {
  const rate = DOLLARS[currency];
  if (currency === SETTLEMENT_CURRENCY || rate === undefined)
    return { amount, currency, exchange_rate: null };
  return {
    amount: Math.round((amount / 10 ** decimalsOf(currency)) * rate * 100),
    currency: SETTLEMENT_CURRENCY,
    exchange_rate: rate,
  };
}

/**
 * Creates the balance transaction of a paid charge. With capture_method `automatic_async`, the default, Stripe does
 * it later: https://docs.stripe.com/payments/payment-intents/asynchronous-capture
 */
export function settleCharge(cause: Cause, charge: Charge): Charge {
  const money = converted(charge.amount, charge.currency);
  const conversion = money.exchange_rate === null ? 0 : Math.round(money.amount * 0.01);
  const moved = moveBalance(cause, {
    type: 'charge',
    source: charge.id,
    fee: Math.round(money.amount * 0.029) + 30 + conversion,
    ...money,
  });
  const settled = cause.tx.put('charges', { ...charge, balance_transaction: moved.id });
  emit(cause, 'charge.updated', settled, { balance_transaction: null });
  return settled;
}

export const isSettled = ({ status, balance_transaction }: Charge): boolean =>
  status !== 'succeeded' || balance_transaction !== null;

/** A refund's balance transaction; Stripe keeps its fee. */
export const settleRefund = (
  cause: Cause,
  refund: { id: string; amount: number; currency: string },
): BalanceTransaction =>
  moveBalance(cause, {
    type: 'refund',
    source: refund.id,
    fee: 0,
    ...converted(-refund.amount, refund.currency),
  });

const moveBalance = (
  { tx, nowS }: Cause,
  movement: Pick<BalanceTransaction, 'amount' | 'currency' | 'exchange_rate' | 'fee' | 'source' | 'type'>,
): BalanceTransaction =>
  tx.put('balance_transactions', {
    id: newId('txn_3'),
    object: 'balance_transaction',
    created: nowS,
    net: movement.amount - movement.fee,
    ...movement,
  });
