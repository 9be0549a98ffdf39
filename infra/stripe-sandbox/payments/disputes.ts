import type { Cause } from '../events.ts';
import { emit } from '../events.ts';
import { newId } from '../ids.ts';
import type { Charge, Dispute } from '../objects.ts';

/** The cardholder's bank disputes a payment; evidence is due in a week. */
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
    balance_transactions: [],
    charge: charge.id,
    created: nowS,
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: {},
    evidence_details: {
      due_by: nowS + 7 * 24 * 60 * 60,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: null,
    },
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    payment_method_details: {
      card: { brand: 'visa', case_type: 'chargeback', network_reason_code: '10' },
      type: 'card',
    },
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
