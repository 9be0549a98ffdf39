import { askedNumber, seldom } from '@arboleda/chassis/http/gauge.ts';
import { counter, type Metrics } from '@arboleda/chassis/http/metrics.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import type { TransferStore } from './store.ts';
import type { TransferDecision } from './transfer.ts';

/** What an operator sees of transfers. */
export interface TransferMetrics {
  submitted(isNew: boolean): void;
  refused(error: unknown): void;
  decided(decision: TransferDecision): void;
}

const COUNTED_EVERY_MS = 10_000;

export function transferMetrics(
  metrics: Metrics,
  store: Pick<TransferStore, 'waiting'>,
  clock: () => Date,
): TransferMetrics {
  const waiting = seldom(COUNTED_EVERY_MS, store.waiting);
  askedNumber(
    metrics,
    { name: 'transfers_pending', help: 'Bank transfers that wait for an admin' },
    async () => (await waiting()).count,
  );
  askedNumber(
    metrics,
    { name: 'transfers_oldest_seconds', help: 'For how long the first of them has waited; 0 when none does' },
    async () => {
      const { since } = await waiting();
      return since ? (clock().getTime() - since.getTime()) / 1000 : 0;
    },
  );
  const taken = counter(metrics, {
    name: 'transfers_total',
    help: 'Bank transfers by what happened to them: submitted, repeated, first_approved, approved, rejected',
    labels: ['event'],
  });
  const refusals = counter(metrics, {
    name: 'transfers_refused_total',
    help: 'Bank transfers that were not taken, by the problem',
    labels: ['type'],
  });
  return {
    submitted: (isNew) => taken.inc({ event: isNew ? 'submitted' : 'repeated' }),
    refused: (error) => refusals.inc({ type: error instanceof Problem ? error.type : 'internal' }),
    decided: (decision) => {
      if (decision.kind === 'unchanged') return;
      const { status } = decision.state;
      taken.inc({ event: status === 'pending' ? 'first_approved' : status });
    },
  };
}
