import type { EndpointKey } from './endpoint.ts';

/**
 * The person whose erasure deletes a typed text: the donor, or the recipient of a gift, who keeps its message when the donor
 * leaves. `nobody`: it is compared or hashed, and not stored.
 */
type Whose = 'donor' | 'recipient' | 'nobody';

const gift = {
  'gift.recipientName': 'recipient',
  'gift.recipientEmail': 'recipient',
  'gift.message': 'recipient',
  'gift.timeZone': 'nobody',
} as const;
const buyer = { customerEmail: 'donor', customerName: 'donor', locale: 'donor', quote: 'nobody' } as const;
const proof = { email: 'nobody' } as const;
const login = { email: 'nobody', password: 'nobody' } as const;

/**
 * All free text that strangers, donors and recipients can type, by call and field. A test compares it with the contract;
 * e2e/security/personal-data.test.ts fills the donor's with words, erases the donor, and searches all tables and files.
 */
export const TYPED_TEXT = {
  'POST /api/auth/customer/register': {
    name: 'donor',
    email: 'donor',
    password: 'nobody',
    locale: 'nobody',
  },
  'POST /api/auth/customer/login': login,
  'POST /api/auth/worker/login': login,
  'POST /api/auth/admin/login': { ...login, code: 'nobody' },
  'POST /api/auth/customer/verify-email': { token: 'nobody' },
  'POST /api/auth/{role}/forgot-password': proof,
  'POST /api/auth/{role}/reset-password': { token: 'nobody', password: 'nobody' },
  'PUT /api/auth/me': { name: 'donor' },
  'PUT /api/auth/me/email': { email: 'donor', currentPassword: 'nobody' },
  'PUT /api/auth/me/password': { currentPassword: 'nobody', newPassword: 'nobody' },
  'POST /api/auth/me/email/confirm': { token: 'nobody' },
  'POST /api/auth/me/deletion': { currentPassword: 'nobody' },
  'POST /api/pricing/create-payment-intent': { ...buyer, ...gift },
  'POST /api/manual-payments/create-order': {
    ...buyer,
    customerPhone: 'donor',
    referenceNumber: 'donor',
    // JSON of the fields of a gift.
    gift: 'recipient',
  },
  'POST /api/track/{token}/receipt': proof,
  'POST /api/track/{token}/certificate': { name: 'donor', ...proof },
  'POST /api/customers/orders/{id}/certificate': { name: 'donor' },
  'POST /api/track/{token}/withdrawal': { reason: 'donor', ...proof },
  'POST /api/customers/orders/{id}/withdrawal': { reason: 'donor' },
  'POST /api/track/{token}/withdrawal/retract': proof,
  'POST /api/track/{token}/gift': proof,
  'PUT /api/track/{token}/gift': { ...gift, ...proof },
  'POST /api/track/{token}/gift/send-again': proof,
  'POST /api/track/{token}/gift/card': proof,
  'PUT /api/customers/orders/{id}/gift': gift,
  'POST /api/gifts/{token}/thanks': { text: 'recipient' },
  // A mail server writes it, about an email to a donor.
  'POST /api/mail/bounces': { messageId: 'nobody', reason: 'donor' },
} as const satisfies { [Call in EndpointKey]?: Readonly<Record<string, Whose>> };
