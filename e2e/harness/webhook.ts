import { createHmac } from 'node:crypto';

/** A webhook as Stripe sends it. https://docs.stripe.com/webhooks#verify-manually */
export function signWebhook(
  event: Record<string, unknown>,
  secret: string,
): { headers: Record<string, string>; body: string } {
  const body = JSON.stringify(event);
  const timestamp = Math.floor(Date.now() / 1000);
  const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  return {
    headers: { 'content-type': 'application/json', 'stripe-signature': `t=${timestamp},v1=${signature}` },
    body,
  };
}
