import type {
  BalanceTransaction,
  Charge,
  CheckoutSession,
  ConfirmationToken,
  Dispute,
  LineItem,
  Metadata,
  PaymentIntent,
  PaymentMethod,
  Price,
  Product,
  Refund,
  StripeEvent,
} from './objects.ts';

/** The sandbox's own records, which are not part of the Stripe API. */

export type DeliveryState = 'pending' | 'held' | 'lost' | 'delivered';

/** One delivery of an event to the webhook URL. */
export interface Delivery {
  id: string;
  event: string;
  type: string;
  state: DeliveryState;
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

/** How a payment method behaves when it is charged. Its number is not stored. */
export interface CardBehaviour {
  id: string;
  behaviour: string;
}

/** The payment method of a confirmation token. */
export interface TokenMethod {
  id: string;
  method: string;
}

/** Line items of a checkout session, and parameters of its payment intent. */
export interface SessionDetails {
  id: string;
  lineItems: LineItem[];
  intent: { metadata: Metadata; description: string | null; receipt_email: string | null };
}

/** The session of a payment intent. */
export interface IntentSession {
  id: string;
  session: string;
}

export interface Setting {
  id: 'webhooks';
  mode: 'deliver' | 'hold' | 'lose';
}

export interface Tables {
  payment_intents: PaymentIntent;
  payment_methods: PaymentMethod;
  charges: Charge;
  balance_transactions: BalanceTransaction;
  refunds: Refund;
  disputes: Dispute;
  products: Product;
  prices: Price;
  sessions: CheckoutSession;
  confirmation_tokens: ConfirmationToken;
  events: StripeEvent;
  deliveries: Delivery;
  idempotency: IdempotentAnswer;
  card_behaviours: CardBehaviour;
  token_methods: TokenMethod;
  session_details: SessionDetails;
  intent_sessions: IntentSession;
  settings: Setting;
}

export type TableName = keyof Tables;
