import type { EndpointKey } from '@arboleda/contracts/endpoint.ts';

/** The calls that the product specification lists, in its order: what is sent, and what comes back. */
export const SPEC_CALLS: readonly { key: EndpointKey; sends: string; answers: string }[] = [
  { key: 'GET /api/stats', sends: '–', answers: 'treesPlanted' },
  {
    key: 'GET /api/pricing/dynamic',
    sends: '–',
    answers: 'currency, country, exchangeRate, basePrice, localPrice, formatted, symbol, flag',
  },
  {
    key: 'POST /api/pricing/create-payment-intent',
    sends: 'trees, packageType, currency, customerEmail, customerName, locale',
    answers: 'client_secret, or error',
  },
  {
    key: 'POST /api/manual-payments/create-order',
    sends:
      'multipart: trees, packageType, currency, customerEmail, customerName, customerPhone, paymentMethod, bankName, referenceNumber, evidenceFiles',
    answers: 'success, or error',
  },
  { key: 'GET /api/auth/admin/verify', sends: 'token', answers: 'user' },
  { key: 'POST /api/auth/admin/login', sends: 'email, password', answers: 'token, user, or error' },
  { key: 'GET /api/admin/orders/manage', sends: 'token', answers: 'orders' },
  { key: 'GET /api/admin/manual-payments/pending-verification', sends: 'token', answers: 'orders' },
  { key: 'GET /api/admin/manual-payments/evidence/{filename}', sends: 'token', answers: 'an image' },
  { key: 'PUT /api/admin/orders/{id}/status', sends: 'token; status', answers: 'or error' },
  { key: 'PUT /api/admin/orders/{id}', sends: 'token; the edited fields', answers: 'order, or error' },
  { key: 'POST /api/admin/manual-payments/verify/{id}', sends: 'token', answers: 'the decided transfer' },
  {
    key: 'POST /api/admin/manual-payments/reject/{id}',
    sends: 'token; reason',
    answers: 'the decided transfer',
  },
  { key: 'GET /api/auth/customer/verify', sends: 'token', answers: 'user' },
  { key: 'POST /api/auth/customer/login', sends: 'email, password', answers: 'token, user, or error' },
  {
    key: 'POST /api/auth/customer/register',
    sends: 'name, email, password',
    answers: 'token, user, or error',
  },
  { key: 'GET /api/customers/orders', sends: 'token', answers: 'orders' },
  {
    key: 'POST /api/payments/create-photo-package-checkout',
    sends: 'token; priceId, originalOrderId',
    answers: 'checkoutUrl, or message',
  },
  { key: 'GET /api/auth/worker/verify', sends: 'token', answers: 'worker' },
  { key: 'POST /api/auth/worker/login', sends: 'email, password', answers: 'token, user, or error' },
  { key: 'GET /api/workers/assignments', sends: 'token', answers: 'assignments' },
  {
    key: 'PUT /api/workers/assignments/{id}/status',
    sends: 'token; status, notes',
    answers: 'the assignment',
  },
  {
    key: 'POST /api/workers/assignments/{id}/photos',
    sends: 'token; multipart: photos',
    answers: 'the photos',
  },
  { key: 'GET /api/photos/{filename}', sends: '–', answers: 'an image' },
];
