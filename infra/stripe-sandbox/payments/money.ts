import { type Cause, emit, newId } from '../events.ts';
import { invalidRequest } from '../http/errors.ts';
import type { BalanceTransaction, Charge } from '../objects.ts';

/** Currencies that Stripe can charge: https://docs.stripe.com/currencies */
const CURRENCIES = new Set(
  `usd aed afn all amd ang aoa ars aud awg azn bam bbd bdt bgn bhd bif bmd bnd bob brl bsd bwp byn bzd cad cdf chf clp
  cny cop crc cve czk djf dkk dop dzd egp etb eur fjd fkp gbp gel gip gmd gnf gtq gyd hkd hnl htg huf idr ils inr isk
  jmd jod jpy kes kgs khr kmf krw kwd kyd kzt lak lbp lkr lrd lsl mad mdl mga mkd mmk mnt mop mur mvr mwk mxn myr mzn
  nad ngn nio nok npr nzd omr pab pen pgk php pkr pln pyg qar ron rsd rub rwf sar sbd scr sek sgd shp sle sos srd std
  szl thb tjs tnd top try ttd twd tzs uah ugx uyu uzs vnd vuv wst xaf xcd xcg xof xpf yer zar zmw`.split(
    /\s+/,
  ),
);

/** Amounts of these have no cents at Stripe. */
const ZERO_DECIMAL = new Set('bif clp djf gnf jpy kmf krw mga pyg rwf ugx vnd vuv xaf xof xpf'.split(' '));

const decimalsOf = (currency: string): number => (ZERO_DECIMAL.has(currency) ? 0 : 2);

/** In each currency's smallest unit: https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts */
const MINIMUM: Record<string, number> = {
  usd: 50,
  aed: 200,
  aud: 50,
  bgn: 100,
  brl: 50,
  cad: 50,
  chf: 50,
  czk: 1500,
  dkk: 250,
  eur: 50,
  gbp: 30,
  hkd: 400,
  huf: 17500,
  inr: 50,
  jpy: 50,
  mxn: 1000,
  myr: 200,
  nok: 300,
  nzd: 50,
  pln: 200,
  ron: 200,
  sek: 300,
  sgd: 50,
  thb: 1000,
};

/** Other currencies must be worth 50 US cents. Rough smallest units per US cent: only a minimum, never a price. */
const UNITS_PER_CENT: Record<string, number> = {
  cop: 4000,
  ars: 1000,
  clp: 9,
  pen: 3.7,
  uyu: 40,
  pyg: 75,
  bob: 6.9,
  crc: 500,
  gtq: 7.7,
  dop: 60,
  krw: 14,
};

const MOST_DIGITS: Record<string, number> = { idr: 12, lbp: 12, cop: 10, huf: 10, jpy: 10, inr: 9 };
const DEFAULT_DIGITS = 8;

/** @returns the currency in lower case @throws StripeProblem 400 for one that Stripe cannot charge */
export function knownCurrency(given: string): string {
  const currency = given.toLowerCase();
  if (CURRENCIES.has(currency)) return currency;
  throw invalidRequest(
    `Invalid currency: ${currency.slice(0, 20)}. Stripe currently supports these currencies: ${[...CURRENCIES].join(', ')}`,
    { param: 'currency' },
  );
}

/** @throws StripeProblem 400 for an amount (smallest units) that Stripe would reject */
export function checkAmount(amount: number, currency: string): void {
  if (amount < 1) {
    throw invalidRequest('This value must be greater than or equal to 1.', {
      param: 'amount',
      code: 'parameter_invalid_integer',
    });
  }
  const minimum = MINIMUM[currency] ?? Math.round(50 * (UNITS_PER_CENT[currency] ?? 1));
  if (amount < minimum) {
    const message =
      currency in MINIMUM
        ? `Amount must be at least ${display(minimum, currency)}`
        : `Amount must convert to at least 50 cents. ${display(amount, currency)} is below that.`;
    throw invalidRequest(message, { param: 'amount', code: 'amount_too_small' });
  }
  const maximum = 10 ** (MOST_DIGITS[currency] ?? DEFAULT_DIGITS) - 1;
  if (amount > maximum) {
    throw invalidRequest(`Amount must be no more than ${display(maximum, currency)}`, {
      param: 'amount',
      code: 'amount_too_large',
    });
  }
}

/** Formats an amount: "$15.00", "COP 82,300". */
export function display(amount: number, currency: string, locale = 'en-US'): string {
  const digits = decimalsOf(currency);
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency: currency.toUpperCase(),
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(amount / 10 ** digits);
}

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
