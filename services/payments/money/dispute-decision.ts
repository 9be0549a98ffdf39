import type { NewEvent } from '@arboleda/contracts/events/index.ts';
import { disputedEvent } from './events.ts';
import type { Subject } from './subject.ts';
import { type Dispute, isDisputeNews } from './dispute.ts';

/** When a dispute changed: later than before, so that others know which of two changes came first. */
interface DisputeDecision {
  at: Date;
  events: NewEvent[];
}

/** Applies a snapshot of Stripe to a dispute. @returns undefined when nothing changes */
export function decideDispute(
  seen: Omit<Dispute, 'intentId' | 'createdAt'>,
  before: { status: string; updatedAt: Date } | undefined,
  subject: Subject,
  now: Date,
): DisputeDecision | undefined {
  if (!isDisputeNews(before?.status, seen.status)) return undefined;
  const at = new Date(Math.max(now.getTime(), (before?.updatedAt.getTime() ?? 0) + 1));
  return { at, events: subject.isOrder ? [disputedEvent(seen, subject, at)] : [] };
}
