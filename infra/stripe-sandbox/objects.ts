/** The part of Stripe's objects that Arboleda reads, with the names and shapes of Stripe's API reference. */

export type Metadata = Record<string, string>;

export interface BillingDetails {
  address: { country: string | null };
  email: string | null;
  name: string | null;
}

export interface PaymentMethod {
  id: string;
  object: 'payment_method';
  billing_details: BillingDetails;
  card: { brand: string; exp_month: number; exp_year: number; last4: string };
  created: number;
  livemode: false;
  type: 'card';
}

export interface PaymentError {
  type: string;
  code: string;
  message: string;
  charge?: string;
  decline_code?: string;
  payment_method?: PaymentMethod;
}

export interface PaymentIntent {
  id: string;
  object: 'payment_intent';
  amount: number;
  amount_received: number;
  automatic_payment_methods: { enabled: boolean };
  canceled_at: number | null;
  cancellation_reason: string | null;
  client_secret: string;
  created: number;
  currency: string;
  description: string | null;
  last_payment_error: PaymentError | null;
  latest_charge: string | null;
  livemode: false;
  metadata: Metadata;
  next_action: { type: 'use_stripe_sdk'; use_stripe_sdk: { type: string; stripe_js: string } } | null;
  payment_method: string | null;
  payment_method_types: string[];
  receipt_email: string | null;
  status:
    | 'requires_payment_method'
    | 'requires_confirmation'
    | 'requires_action'
    | 'processing'
    | 'succeeded'
    | 'canceled';
}

export interface Charge {
  id: string;
  object: 'charge';
  amount: number;
  amount_refunded: number;
  balance_transaction: string | null;
  billing_details: BillingDetails;
  captured: boolean;
  created: number;
  currency: string;
  disputed: boolean;
  failure_code: string | null;
  failure_message: string | null;
  livemode: false;
  metadata: Metadata;
  paid: boolean;
  payment_intent: string;
  payment_method: string;
  payment_method_details: { card: object; type: 'card' };
  receipt_url: string | null;
  refunded: boolean;
  status: 'succeeded' | 'failed';
}

export interface BalanceTransaction {
  id: string;
  object: 'balance_transaction';
  amount: number;
  created: number;
  currency: string;
  exchange_rate: number | null;
  fee: number;
  net: number;
  source: string;
  type: 'charge' | 'refund';
}

export interface Refund {
  id: string;
  object: 'refund';
  amount: number;
  balance_transaction: string;
  charge: string;
  created: number;
  currency: string;
  failure_reason?: string;
  metadata: Metadata;
  payment_intent: string;
  reason: string | null;
  status: 'succeeded' | 'failed';
}

export interface Dispute {
  id: string;
  object: 'dispute';
  amount: number;
  charge: string;
  created: number;
  currency: string;
  livemode: false;
  payment_intent: string;
  reason: string;
  status: 'needs_response' | 'won' | 'lost';
}

export interface Price {
  id: string;
  object: 'price';
  currency: string;
  nickname: string;
  unit_amount: number;
}

export interface CheckoutSession {
  id: string;
  object: 'checkout.session';
  amount_total: number;
  cancel_url: string | null;
  created: number;
  currency: string;
  customer_details: { email: string | null; name: string | null } | null;
  customer_email: string | null;
  expires_at: number;
  livemode: false;
  locale: string | null;
  metadata: Metadata;
  mode: 'payment';
  payment_intent: string | null;
  payment_status: 'paid' | 'unpaid';
  status: 'open' | 'complete' | 'expired';
  success_url: string;
  url: string | null;
}

export interface StripeEvent {
  id: string;
  object: 'event';
  api_version: string;
  created: number;
  data: { object: object; previous_attributes?: object };
  livemode: false;
  pending_webhooks: number;
  request: { id: string | null; idempotency_key: string | null };
  type: string;
}

/** One delivery of an event to the webhook URL. */
export interface Delivery {
  id: string;
  event: string;
  type: string;
  state: 'pending' | 'held' | 'lost' | 'delivered';
  attempts: number;
  lastStatus: number | null;
  lastError: string | null;
  createdMs: number;
  deliveredMs: number | null;
}

export interface IdempotentAnswer {
  id: string;
  fingerprint: string;
  status: number;
  body: object;
  created: number;
}

/** All that the sandbox stores, by table. */
export interface Tables {
  payment_intents: PaymentIntent;
  payment_methods: PaymentMethod;
  charges: Charge;
  balance_transactions: BalanceTransaction;
  refunds: Refund;
  disputes: Dispute;
  sessions: CheckoutSession;
  events: StripeEvent;
  deliveries: Delivery;
  idempotency: IdempotentAnswer;
  /** Test cards' numbers, which decide what happens when they are charged. */
  card_numbers: { id: string; number: string };
  /** Line items of a session, and the parameters of its payment intent. */
  session_details: {
    id: string;
    item: { name: string; quantity: number };
    intent: { metadata: Metadata; description: string | null };
  };
  /** The session of a payment intent. */
  intent_sessions: { id: string; session: string };
  settings: { id: 'webhooks'; mode: 'deliver' | 'hold' | 'lose' };
}

export type TableName = keyof Tables;
