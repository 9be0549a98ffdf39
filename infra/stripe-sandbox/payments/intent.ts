import { newId, randomText } from '../ids.ts';
import type { PaymentIntent } from '../objects.ts';

export interface NewIntent {
  amount: number;
  currency: string;
  automatic: { enabled: boolean; allow_redirects: string } | null;
  description: string | null;
  metadata: Record<string, string>;
  paymentMethod: string | null;
  receiptEmail: string | null;
  shipping: object | null;
  statementDescriptorSuffix: string | null;
  created: number;
}

export function newIntent(given: NewIntent): PaymentIntent {
  const id = newId('pi_3');
  return {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: null,
    amount: given.amount,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: given.automatic,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic_async',
    client_secret: `${id}_secret_${randomText(25)}`,
    confirmation_method: 'automatic',
    created: given.created,
    currency: given.currency,
    customer: null,
    customer_account: null,
    description: given.description,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: given.metadata,
    next_action: null,
    on_behalf_of: null,
    payment_method: given.paymentMethod,
    payment_method_configuration_details: null,
    payment_method_options: {
      card: { installments: null, mandate_options: null, network: null, request_three_d_secure: 'automatic' },
    },
    payment_method_types: ['card'],
    payment_record: null,
    processing: null,
    receipt_email: given.receiptEmail,
    review: null,
    setup_future_usage: null,
    shipping: given.shipping,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: given.statementDescriptorSuffix,
    status: given.paymentMethod ? 'requires_confirmation' : 'requires_payment_method',
    transfer_data: null,
    transfer_group: null,
  };
}

const CLIENT_FIELDS = [
  'id',
  'object',
  'amount',
  'amount_details',
  'automatic_payment_methods',
  'canceled_at',
  'cancellation_reason',
  'capture_method',
  'client_secret',
  'confirmation_method',
  'created',
  'currency',
  'description',
  'last_payment_error',
  'livemode',
  'next_action',
  'payment_method',
  'payment_method_configuration_details',
  'payment_method_types',
  'processing',
  'receipt_email',
  'setup_future_usage',
  'shipping',
  'source',
  'status',
];

/** Fields visible to the holder of a client secret: no metadata, no charge. */
export const clientView = (intent: PaymentIntent): Partial<PaymentIntent> =>
  Object.fromEntries(CLIENT_FIELDS.map((field) => [field, intent[field]]));

/** Whether the intent's status allows a confirmation. */
export const confirmable = (intent: PaymentIntent): boolean =>
  ['requires_payment_method', 'requires_confirmation', 'requires_action'].includes(intent.status);

export const cancelable = confirmable;
