import type { CheckoutSession, Metadata } from '../objects.ts';

export interface NewSession {
  id: string;
  amount: number;
  cancelUrl: string | null;
  clientReferenceId: string | null;
  created: number;
  currency: string;
  customerEmail: string | null;
  expiresAt: number;
  locale: string | null;
  metadata: Metadata;
  successUrl: string;
  url: string;
}

export const newSession = (given: NewSession): CheckoutSession => ({
  id: given.id,
  object: 'checkout.session',
  adaptive_pricing: { enabled: false },
  after_expiration: null,
  allow_promotion_codes: null,
  allowed_payment_method_types: null,
  amount_subtotal: given.amount,
  amount_total: given.amount,
  automatic_tax: { enabled: false, liability: null, provider: null, status: null },
  billing_address_collection: null,
  cancel_url: given.cancelUrl,
  client_reference_id: given.clientReferenceId,
  client_secret: null,
  collected_information: null,
  consent: null,
  consent_collection: null,
  created: given.created,
  currency: given.currency,
  currency_conversion: null,
  custom_fields: [],
  custom_text: {
    after_submit: null,
    shipping_address: null,
    submit: null,
    terms_of_service_acceptance: null,
  },
  customer: null,
  customer_account: null,
  customer_creation: 'if_required',
  customer_details: given.customerEmail ? customerDetails(given.customerEmail, null) : null,
  customer_email: given.customerEmail,
  discounts: [],
  expires_at: given.expiresAt,
  integration_identifier: null,
  invoice: null,
  invoice_creation: null,
  livemode: false,
  locale: given.locale,
  managed_payments: null,
  metadata: given.metadata,
  mode: 'payment',
  origin_context: null,
  payment_intent: null,
  payment_link: null,
  payment_method_collection: 'if_required',
  payment_method_configuration_details: null,
  payment_method_options: { card: { request_three_d_secure: 'automatic' } },
  payment_method_types: ['card'],
  payment_status: 'unpaid',
  permissions: null,
  recovered_from: null,
  saved_payment_method_options: null,
  setup_intent: null,
  shipping_address_collection: null,
  shipping_cost: null,
  shipping_options: [],
  status: 'open',
  submit_type: null,
  subscription: null,
  success_url: given.successUrl,
  total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
  ui_mode: 'hosted_page',
  url: given.url,
  wallet_options: null,
});

export const customerDetails = (email: string | null, name: string | null) => ({
  address: null,
  business_name: null,
  email,
  individual_name: null,
  name,
  phone: null,
  tax_exempt: 'none',
  tax_ids: [],
});
