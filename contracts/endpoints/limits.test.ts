import { expect, test } from '@jest/globals';
import type { Endpoint, EndpointKey } from '../endpoint.ts';
import { ENDPOINTS } from './index.ts';

/** Endpoints open to guessing, card testing or filling disks. */
const GUARDED: readonly EndpointKey[] = [
  'POST /api/auth/customer/login',
  'POST /api/auth/admin/login',
  'POST /api/auth/worker/login',
  'POST /api/auth/customer/register',
  'POST /api/auth/{role}/forgot-password',
  'POST /api/auth/{role}/reset-password',
  'POST /api/auth/customer/verify-email/resend',
  'POST /api/pricing/create-payment-intent',
  'POST /api/payments/create-photo-package-checkout',
  'POST /api/manual-payments/create-order',
  'POST /api/track/{token}/receipt',
  'POST /api/track/{token}/certificate',
  'POST /api/track/{token}/withdrawal',
  'POST /api/track/{token}/withdrawal/retract',
  'POST /api/track/{token}/gift',
  'PUT /api/track/{token}/gift',
  'POST /api/track/{token}/gift/send-again',
  'POST /api/track/{token}/gift/card',
  'GET /api/gifts/{token}',
  'POST /api/gifts/{token}/claim',
  'POST /api/gifts/{token}/thanks',
  'POST /api/gifts/{token}/decline',
  'GET /api/certificates/{code}',
  'GET /api/certificates/{code}/document',
  'GET /api/manual-payments/reference',
  'POST /api/admin/statements',
  'POST /api/workers/assignments/{id}/photos',
  'POST /api/workers/growth-visits/{id}/photos',
];

test.each(GUARDED)('%s has a limit of calls by address', (key) => {
  const { limit }: Endpoint = ENDPOINTS[key as keyof typeof ENDPOINTS];
  expect(limit?.max).toBeGreaterThan(0);
});
