import { newId } from '../ids.ts';
import type { Charge, PaymentIntent, PaymentMethod } from '../objects.ts';
import { behaviourNamed, type Behaviour } from './test-cards.ts';

type Decline = Extract<Behaviour, { kind: 'declines' }>;

interface Charging {
  intent: PaymentIntent;
  method: PaymentMethod;
  nowS: number;
  authenticated: boolean;
  decline?: Decline | undefined;
}

/** A charge of a whole intent, paid or declined. Its balance transaction comes with settlement: settlement.ts. */
export function newCharge({ intent, method, nowS, authenticated, decline }: Charging): Charge {
  const paid = !decline;
  return {
    id: newId('ch_3'),
    object: 'charge',
    amount: intent.amount,
    amount_captured: paid ? intent.amount : 0,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details: method.billing_details,
    calculated_statement_descriptor: 'ARBOLEDA SANDBOX',
    captured: paid,
    created: nowS,
    currency: intent.currency,
    customer: null,
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    fraud_details: {},
    livemode: false,
    metadata: intent.metadata,
    on_behalf_of: null,
    outcome: outcome(decline),
    paid,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: { card: cardDetails(intent, method, authenticated, paid), type: 'card' },
    radar_options: {},
    receipt_email: intent.receipt_email,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: intent.shipping,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: intent.statement_descriptor_suffix,
    status: paid ? 'succeeded' : 'failed',
    transfer_data: null,
    transfer_group: null,
  };
}

function outcome(decline: Decline | undefined): object {
  const base = {
    advice_code: null,
    network_advice_code: null,
    network_decline_code: null,
    risk_level: 'normal',
  };
  if (!decline) {
    return {
      ...base,
      network_status: 'approved_by_network',
      reason: null,
      risk_score: 20,
      seller_message: 'Payment complete.',
      type: 'authorized',
    };
  }
  if (decline.blocked) {
    return {
      ...base,
      network_status: 'not_sent_to_network',
      reason: 'highest_risk_level',
      risk_level: 'highest',
      risk_score: 95,
      seller_message: 'Stripe blocked this payment as too risky.',
      type: 'blocked',
    };
  }
  return {
    ...base,
    network_decline_code: '02',
    network_status: 'declined_by_network',
    reason: decline.declineCode,
    risk_score: 30,
    seller_message: 'The bank did not return any further details with this decline.',
    type: 'issuer_declined',
  };
}

function cardDetails(
  intent: PaymentIntent,
  method: PaymentMethod,
  authenticated: boolean,
  paid: boolean,
): object {
  const { card } = method;
  return {
    amount_authorized: paid ? intent.amount : null,
    authorization_code: null,
    brand: card.brand,
    checks: { ...card.checks, cvc_check: card.checks.cvc_check ? (paid ? 'pass' : 'unavailable') : null },
    country: card.country,
    exp_month: card.exp_month,
    exp_year: card.exp_year,
    extended_authorization: { status: 'disabled' },
    fingerprint: card.fingerprint,
    funding: card.funding,
    incremental_authorization: { status: 'unavailable' },
    installments: null,
    last4: card.last4,
    mandate: null,
    multicapture: { status: 'unavailable' },
    network: card.brand,
    network_token: { used: false },
    overcapture: { maximum_amount_capturable: intent.amount, status: 'unavailable' },
    regulated_status: card.regulated_status,
    three_d_secure: authenticated
      ? {
          authentication_flow: 'challenge',
          electronic_commerce_indicator: '05',
          exemption_indicator: null,
          result: 'authenticated',
          result_reason: null,
          transaction_id: newId('', 28),
          version: '2.2.0',
        }
      : null,
    wallet: null,
  };
}

/** @throws TypeError for a behaviour that does not decline */
export function declineNamed(name: string): Decline {
  const behaviour = behaviourNamed(name);
  if (behaviour.kind !== 'declines') throw new TypeError(`${name} does not decline`);
  return behaviour;
}
