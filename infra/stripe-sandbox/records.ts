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

/** The sandbox's own records: never part of an answer of the Stripe API. */

export type DeliveryState = 'pending' | 'held' | 'lost' | 'delivered';

/** One sending of an event to the webhook address. */
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

/** How a payment method behaves when it is charged: its number is not kept. */
export interface CardBehaviour {
  id: string;
  behaviour: string;
}

/** The payment method that a confirmation token stands for. */
export interface TokenMethod {
  id: string;
  method: string;
}

/** What a checkout session sells and how its payment intent is to look. */
export interface SessionDetails {
  id: string;
  lineItems: LineItem[];
  intent: { metadata: Metadata; description: string | null; receipt_email: string | null };
}

/** The session that a payment intent pays for. */
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
