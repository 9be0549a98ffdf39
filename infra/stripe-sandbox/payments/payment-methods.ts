import { createHash } from 'node:crypto';
import { brandOf, digitsOf, passesLuhn } from '../browser/card-number.js';
import type { Call, Endpoint } from '../http/endpoint.ts';
import { invalidCard, noSuch, parameterMissing, StripeProblem } from '../http/errors.ts';
import type { FormHash } from '../http/form.ts';
import { hash, ignored, integer, mergeMetadata, oneOf, readParams, required, text } from '../http/params.ts';
import { newId } from '../ids.ts';
import type { BillingDetails, PaymentMethod } from '../objects.ts';
import type { Transaction } from '../storage/store.ts';
import { testCard, testMethodNumber } from './test-cards.ts';

type Making = Pick<Call, 'tx' | 'nowS'>;

const methodShape = {
  type: required(oneOf('card')),
  card: required(hash),
  billing_details: hash,
  metadata: hash,
  allow_redisplay: ignored,
  payment_user_agent: ignored,
  referrer: ignored,
  guid: ignored,
  muid: ignored,
  sid: ignored,
  time_on_page: ignored,
};
const cardShape = {
  number: required(text),
  exp_month: required(integer),
  exp_year: required(integer),
  cvc: text,
  networks: ignored,
};

export const paymentMethodEndpoints: Endpoint[] = [
  {
    method: 'post',
    path: '/payment_methods',
    access: 'client',
    answer: (call) => createMethod(call, call.params),
  },
  {
    method: 'get',
    path: '/payment_methods/:id',
    access: 'secret',
    answer: ({ tx, path, nowS }) => usableMethod({ tx, nowS }, path.id ?? '', 404),
  },
];

/** @throws StripeProblem 402 for card data that no network would accept */
export function createMethod(making: Making, params: FormHash): PaymentMethod {
  const given = readParams(params, methodShape);
  const card = readParams(given.card, cardShape);
  checkDate(card.exp_month, card.exp_year, new Date(making.nowS * 1000));
  if (card.cvc !== undefined && !/^\d{3,4}$/.test(card.cvc)) {
    throw invalidCard('invalid_cvc', "Your card's security code is invalid.", 'cvc');
  }
  return keepMethod(making, digitsOf(card.number), card.exp_month, fullYear(card.exp_year), {
    billing: billingDetails(given.billing_details),
    metadata: mergeMetadata({}, given.metadata),
    cvcGiven: card.cvc !== undefined,
  });
}

/** The payment method of an id; test ids such as `pm_card_visa` give a new one each time. */
export function usableMethod(making: Making, id: string, missingStatus: 400 | 404 = 400): PaymentMethod {
  const number = testMethodNumber(id);
  if (number) {
    const year = new Date(making.nowS * 1000).getUTCFullYear() + 1;
    return keepMethod(making, number, 12, year, {
      billing: billingDetails(undefined),
      metadata: {},
      cvcGiven: false,
    });
  }
  const method = making.tx.get('payment_methods', id);
  if (method) return method;
  throw noSuch('PaymentMethod', id, 'payment_method', missingStatus);
}

export const behaviourOf = (tx: Transaction, methodId: string): string =>
  tx.get('card_behaviours', methodId)?.behaviour ?? 'pays';

interface Extras {
  billing: BillingDetails;
  metadata: Record<string, string>;
  cvcGiven: boolean;
}

function keepMethod(
  making: Making,
  number: string,
  exp_month: number,
  exp_year: number,
  extras: Extras,
): PaymentMethod {
  if (!passesLuhn(number) || number.length < 12) {
    throw invalidCard('incorrect_number', 'Your card number is incorrect.', 'number');
  }
  const known = testCard(number);
  if (!known) throw realCard();
  const brand = brandOf(number).name;
  const method: PaymentMethod = {
    id: newId('pm_1'),
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: extras.billing,
    card: {
      brand,
      checks: {
        address_line1_check: null,
        address_postal_code_check: null,
        cvc_check: extras.cvcGiven ? 'unchecked' : null,
      },
      country: known.country ?? 'US',
      display_brand: brand,
      exp_month,
      exp_year,
      fingerprint: createHash('sha256').update(`fingerprint ${number}`).digest('hex').slice(0, 16),
      funding: known.funding ?? 'credit',
      generated_from: null,
      last4: number.slice(-4),
      networks: { available: [brand], preferred: null },
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    created: making.nowS,
    customer: null,
    livemode: false,
    metadata: extras.metadata,
    type: 'card',
  };
  making.tx.put('card_behaviours', { id: method.id, behaviour: known.behaviour });
  return making.tx.put('payment_methods', method);
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

const fullYear = (year: number) => (year < 100 ? 2000 + year : year);

function checkDate(month: number, year: number, now: Date): void {
  if (month < 1 || month > 12) {
    throw invalidCard('invalid_expiry_month', "Your card's expiration month is invalid.", 'exp_month');
  }
  const months = fullYear(year) * 12 + month - (now.getUTCFullYear() * 12 + now.getUTCMonth() + 1);
  if (months < 0 || months > 50 * 12) {
    throw invalidCard('invalid_expiry_year', "Your card's expiration year is invalid.", 'exp_year');
  }
}

const ADDRESS = ['city', 'country', 'line1', 'line2', 'postal_code', 'state'] as const;

function billingDetails(given: FormHash | undefined): BillingDetails {
  const { address, email, name, phone } = readParams(given ?? {}, {
    address: hash,
    email: text,
    name: text,
    phone: text,
    tax_id: text,
  });
  const lines = ADDRESS.map((line) => [
    line,
    text(address?.[line], `billing_details[address][${line}]`) || null,
  ]);
  return {
    address: Object.fromEntries(lines) as BillingDetails['address'],
    email: email || null,
    name: name || null,
    phone: phone || null,
    tax_id: null,
  };
}

/** For `payment_method_data`. @throws StripeProblem 400 without an id and data */
export function chosenMethod(
  making: Making,
  chosen: { payment_method?: string | undefined; payment_method_data?: FormHash | undefined },
): PaymentMethod {
  if (chosen.payment_method) return usableMethod(making, chosen.payment_method);
  if (chosen.payment_method_data) return createMethod(making, chosen.payment_method_data);
  throw parameterMissing('payment_method');
}
