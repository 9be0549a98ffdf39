import { emit, type Cause } from '../events.ts';
import type { PaymentIntent, PaymentMethod } from '../objects.ts';
import { customerDetails } from './session.ts';

/** The session that a paid intent belongs to, if any, is complete. */
export function completeSession(cause: Cause, intent: PaymentIntent, method: PaymentMethod): void {
  const { tx } = cause;
  const link = tx.get('intent_sessions', intent.id);
  const session = link && tx.get('sessions', link.session);
  if (!session || session.status === 'complete') return;
  const { email, name } = method.billing_details;
  const completed = tx.put('sessions', {
    ...session,
    customer_details: customerDetails(email ?? session.customer_email, name),
    payment_intent: intent.id,
    payment_status: 'paid',
    status: 'complete',
    url: null,
  });
  emit(cause, 'checkout.session.completed', completed);
}
