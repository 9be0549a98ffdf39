import { createHmac } from 'node:crypto';

/** The `Stripe-Signature` header of a body: https://docs.stripe.com/webhooks/signature */
export function signatureHeader(body: string, secret: string, timestampS: number): string {
  const v1 = createHmac('sha256', secret).update(`${timestampS}.${body}`, 'utf8').digest('hex');
  return `t=${timestampS},v1=${v1}`;
}
