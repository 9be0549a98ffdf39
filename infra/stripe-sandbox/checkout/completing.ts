import { emit, type Cause } from '../events.ts';
import type { CheckoutSession, PaymentIntent, PaymentMethod } from '../objects.ts';
import { customerDetails } from './session.ts';

/** Completes the session of a paid intent, if any. It may already be complete while the money was on its way. */
export function completeSession(cause: Cause, intent: PaymentIntent, method: PaymentMethod): void {
  const session = sessionOf(cause, intent);
  if (!session || session.payment_status === 'paid') return;
  const wasAwaited = session.status === 'complete';
  const completed = complete(cause, session, intent, method, 'paid');
  emit(
    cause,
    wasAwaited ? 'checkout.session.async_payment_succeeded' : 'checkout.session.completed',
    completed,
  );
}

/** The customer is done, and the payment is processing. */
export function awaitPayment(cause: Cause, intent: PaymentIntent, method: PaymentMethod): void {
  const session = sessionOf(cause, intent);
  if (session?.status !== 'open') return;
  emit(cause, 'checkout.session.completed', complete(cause, session, intent, method, 'unpaid'));
}

/** The payment failed while processing: the session stays complete and unpaid. */
export function missPayment(cause: Cause, intent: PaymentIntent): void {
  const session = sessionOf(cause, intent);
  if (session?.status !== 'complete' || session.payment_status === 'paid') return;
  emit(cause, 'checkout.session.async_payment_failed', session);
}

function sessionOf({ tx }: Cause, { id }: PaymentIntent): CheckoutSession | undefined {
  const link = tx.get('intent_sessions', id);
  return link && tx.get('sessions', link.session);
}

function complete(
  { tx }: Cause,
  session: CheckoutSession,
  intent: PaymentIntent,
  method: PaymentMethod,
  payment_status: 'paid' | 'unpaid',
): CheckoutSession {
  const { email, name } = method.billing_details;
  return tx.put('sessions', {
    ...session,
    customer_details: customerDetails(email ?? session.customer_email, name),
    payment_intent: intent.id,
    payment_status,
    status: 'complete',
    url: null,
  });
}
