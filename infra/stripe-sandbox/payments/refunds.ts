import { type Cause, emit, newId } from '../events.ts';
import type { Call, Endpoint } from '../http/endpoint.ts';
import { invalidRequest, noSuch, parameterMissing } from '../http/errors.ts';
import { hash, integer, oneOf, readMetadata, readParams, text } from '../http/params.ts';
import type { Charge, Dispute, Refund } from '../objects.ts';
import { display, settleRefund } from './money.ts';

export const refundEndpoints: Endpoint[] = [
  { method: 'post', path: '/refunds', access: 'secret', answer: create },
];

function create(call: Call): Refund {
  const { tx } = call;
  const given = readParams(call.params, {
    amount: integer,
    charge: text,
    metadata: hash,
    payment_intent: text,
    reason: oneOf('duplicate', 'fraudulent', 'requested_by_customer'),
  });
  const charge = chargeToRefund(call, given);
  const amount = refundable(charge, given.amount);
  const id = newId('re_3');
  const refund = tx.put('refunds', {
    id,
    object: 'refund',
    amount,
    balance_transaction: settleRefund(call, { id, amount, currency: charge.currency }).id,
    charge: charge.id,
    created: call.nowS,
    currency: charge.currency,
    metadata: readMetadata(given.metadata),
    payment_intent: charge.payment_intent,
    reason: given.reason ?? null,
    status: 'succeeded',
  });
  const amount_refunded = charge.amount_refunded + amount;
  const refunded = tx.put('charges', {
    ...charge,
    amount_refunded,
    refunded: amount_refunded === charge.amount,
  });
  emit(call, 'charge.refunded', refunded, {
    amount_refunded: charge.amount_refunded,
    refunded: charge.refunded,
  });
  emit(call, 'refund.created', refund);
  return refund;
}

function chargeToRefund(
  { tx }: Call,
  given: { charge?: string | undefined; payment_intent?: string | undefined },
): Charge {
  if (given.charge) {
    const charge = tx.get('charges', given.charge);
    if (!charge) throw noSuch('charge', given.charge, 'id', 400);
    return charge;
  }
  if (!given.payment_intent) throw parameterMissing('payment_intent');
  const intent = tx.get('payment_intents', given.payment_intent);
  if (!intent) throw noSuch('payment_intent', given.payment_intent, 'payment_intent', 400);
  const charge = intent.latest_charge ? tx.get('charges', intent.latest_charge) : undefined;
  if (charge?.status === 'succeeded') return charge;
  throw invalidRequest(`This PaymentIntent (${intent.id}) does not have a successful charge to refund.`, {
    param: 'payment_intent',
    code: 'payment_intent_unexpected_state',
  });
}

/** @returns the amount to refund (smallest units) @throws StripeProblem 400 when it exceeds the rest */
function refundable(charge: Charge, asked: number | undefined): number {
  const left = charge.amount - charge.amount_refunded;
  if (charge.status !== 'succeeded') {
    throw invalidRequest(`Charge ${charge.id} has not succeeded and cannot be refunded.`, {
      param: 'charge',
    });
  }
  if (charge.disputed) {
    throw invalidRequest(`Charge ${charge.id} has been charged back; cannot issue a refund.`, {
      code: 'charge_disputed',
      charge: charge.id,
    });
  }
  if (left === 0) {
    throw invalidRequest(`Charge ${charge.id} has already been refunded.`, {
      code: 'charge_already_refunded',
      charge: charge.id,
    });
  }
  const amount = asked ?? left;
  if (amount < 1) {
    throw invalidRequest('This value must be greater than or equal to 1.', {
      param: 'amount',
      code: 'parameter_invalid_integer',
    });
  }
  if (amount > left) {
    const [given, rest] = [amount, left].map((units) => display(units, charge.currency));
    throw invalidRequest(
      charge.amount_refunded > 0
        ? `Refund amount (${given}) is greater than unrefunded amount on charge (${rest})`
        : `Refund amount (${given}) is greater than charge amount (${rest})`,
      { param: 'amount', charge: charge.id },
    );
  }
  return amount;
}

/** The bank rejected the refund: the amount returns to the charge. */
export function failRefund(cause: Cause, refund: Refund): Refund {
  const { tx } = cause;
  if (refund.status === 'failed') throw invalidRequest(`Refund ${refund.id} has failed already.`);
  const failed = tx.put('refunds', {
    ...refund,
    status: 'failed',
    failure_reason: 'expired_or_canceled_card',
  });
  const charge = tx.get('charges', refund.charge);
  if (charge) {
    const amount_refunded = charge.amount_refunded - refund.amount;
    tx.put('charges', { ...charge, amount_refunded, refunded: false });
  }
  emit(cause, 'refund.failed', failed, { status: refund.status });
  return failed;
}

/** The cardholder's bank disputes a payment. */
export function openDispute(
  cause: Cause,
  charge: Charge,
  given: { reason: string; amount?: number | undefined },
): Dispute {
  const { tx, nowS } = cause;
  const dispute = tx.put('disputes', {
    id: newId('dp_1'),
    object: 'dispute',
    amount: given.amount ?? charge.amount,
    charge: charge.id,
    created: nowS,
    currency: charge.currency,
    livemode: false,
    payment_intent: charge.payment_intent,
    reason: given.reason,
    status: 'needs_response',
  });
  tx.put('charges', { ...charge, disputed: true });
  emit(cause, 'charge.dispute.created', dispute);
  return dispute;
}

/** The bank has decided. */
export function closeDispute(cause: Cause, dispute: Dispute, outcome: 'won' | 'lost'): Dispute {
  const closed = cause.tx.put('disputes', { ...dispute, status: outcome });
  emit(cause, 'charge.dispute.closed', closed, { status: dispute.status });
  return closed;
}
