import { type Cause, newId } from '../events.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { noSuch, StripeProblem } from '../http/errors.ts';
import { type FormHash, hash, ignored, integer, oneOf, readParams, required, text } from '../http/params.ts';
import type { BillingDetails, PaymentMethod } from '../objects.ts';

export interface Decline {
  kind: 'declines';
  code: string;
  declineCode: string;
  message: string;
}

/** Result of charging a card. */
type Behaviour =
  | { kind: 'pays' }
  | { kind: 'pays_then_disputed' }
  | Decline
  | { kind: 'authenticates' }
  /** Stays `processing` until the control API settles it: specific to the sandbox, for slow payment methods. */
  | { kind: 'processes' };

export const GENERIC_DECLINE: Decline = {
  kind: 'declines',
  code: 'card_declined',
  declineCode: 'generic_decline',
  message: 'Your card was declined.',
};

interface TestCard {
  brand: string;
  behaviour: Behaviour;
  /** Payment methods of every test account; each use creates a new one, like Stripe. */
  ids?: string[];
}

const visa = (behaviour: Behaviour, ...ids: string[]): TestCard => ({ brand: 'visa', behaviour, ids });

/** Cards of https://docs.stripe.com/testing, and the sandbox's own 0606. Any other number is a real card. */
const TEST_CARDS: Record<string, TestCard> = {
  '4242424242424242': visa({ kind: 'pays' }, 'pm_card_visa'),
  '5555555555554444': { brand: 'mastercard', behaviour: { kind: 'pays' } },
  '378282246310005': { brand: 'amex', behaviour: { kind: 'pays' } },
  '4000000000000259': visa({ kind: 'pays_then_disputed' }, 'pm_card_createDispute'),
  '4000000000000002': visa(GENERIC_DECLINE, 'pm_card_chargeDeclined'),
  '4000000000009995': visa(
    {
      kind: 'declines',
      code: 'card_declined',
      declineCode: 'insufficient_funds',
      message: 'Your card has insufficient funds.',
    },
    'pm_card_chargeDeclinedInsufficientFunds',
  ),
  '4000000000000069': visa(
    {
      kind: 'declines',
      code: 'expired_card',
      declineCode: 'expired_card',
      message: 'Your card has expired.',
    },
    'pm_card_chargeDeclinedExpiredCard',
  ),
  '4000002760003184': visa({ kind: 'authenticates' }, 'pm_card_authenticationRequired'),
  '4000000000000606': visa({ kind: 'processes' }, 'pm_card_processing'),
};

export const cardEndpoints: Endpoint[] = [
  {
    method: 'post',
    path: '/payment_methods',
    access: 'client',
    answer: (call) => createMethod(call, call.params),
  },
];

const methodShape = {
  type: required(oneOf('card')),
  card: required(hash),
  billing_details: hash,
};
const cardShape = {
  number: required(text),
  exp_month: required(integer),
  exp_year: required(integer),
  cvc: ignored,
};

/** The form in the browser checks dates and codes. @throws StripeProblem 402 for a number that is not for tests */
export function createMethod(cause: Cause, params: FormHash): PaymentMethod {
  const given = readParams(params, methodShape);
  const card = readParams(given.card, cardShape);
  const number = card.number.replace(/\D/g, '');
  const expiry = { exp_month: card.exp_month, exp_year: card.exp_year };
  return storeMethod(cause, number, expiry, billingDetails(given.billing_details));
}

/** The payment method of an id, which may be a test id such as `pm_card_visa`. */
export function methodById(cause: Cause, id: string): PaymentMethod {
  const number = Object.keys(TEST_CARDS).find((one) => TEST_CARDS[one]!.ids?.includes(id));
  if (number) {
    const expiry = { exp_month: 12, exp_year: new Date(cause.nowS * 1000).getUTCFullYear() + 1 };
    return storeMethod(cause, number, expiry, billingDetails(undefined));
  }
  const method = cause.tx.get('payment_methods', id);
  if (method) return method;
  throw noSuch('PaymentMethod', id, 'payment_method', 400);
}

export const behaviourOf = ({ tx }: Cause, method: PaymentMethod): Behaviour =>
  TEST_CARDS[tx.get('card_numbers', method.id)?.number ?? '']?.behaviour ?? { kind: 'pays' };

function storeMethod(
  { tx, nowS }: Cause,
  number: string,
  expiry: Pick<PaymentMethod['card'], 'exp_month' | 'exp_year'>,
  billing_details: BillingDetails,
): PaymentMethod {
  const known = Object.hasOwn(TEST_CARDS, number) ? TEST_CARDS[number] : undefined;
  if (!known) throw realCard();
  const method: PaymentMethod = {
    id: newId('pm_1'),
    object: 'payment_method',
    billing_details,
    card: { brand: known.brand, ...expiry, last4: number.slice(-4) },
    created: nowS,
    livemode: false,
    type: 'card',
  };
  tx.put('card_numbers', { id: method.id, number });
  return tx.put('payment_methods', method);
}

const realCard = () =>
  new StripeProblem(402, {
    type: 'card_error',
    code: 'card_declined',
    decline_code: 'live_mode_test_card',
    message:
      'Your card was declined. Your request was in test mode, but used a non test (live) card. For a list of valid test cards, visit: https://stripe.com/docs/testing.',
    param: 'number',
  });

function billingDetails(given: FormHash | undefined): BillingDetails {
  const { address, email, name } = readParams(given ?? {}, { address: hash, email: text, name: text });
  return {
    address: { country: text(address?.country, 'billing_details[address][country]') || null },
    email: email || null,
    name: name || null,
  };
}
