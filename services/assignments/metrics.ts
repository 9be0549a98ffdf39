import { askedNumber, seldom } from '@arboleda/chassis/http/gauge.ts';
import type { Metrics } from '@arboleda/chassis/http/metrics.ts';
import type { FieldLists } from './store.ts';

const COUNTED_EVERY_MS = 60_000;
const DAY_MS = 86_400_000;
/** A worker is reminded meanwhile; a season in which roads are closed may take so long. */
const PATIENCE_DAYS = 30;

/** What an operator sees of growth visits: somebody paid for pictures that nobody takes. */
export function showVisits(
  metrics: Metrics,
  store: Pick<FieldLists, 'countOverdue'>,
  clock: () => Date,
): void {
  askedNumber(
    metrics,
    { name: 'growth_visits_overdue', help: 'Growth visits that should have been made a month ago' },
    seldom(COUNTED_EVERY_MS, () => {
      const due = new Date(clock().getTime() - PATIENCE_DAYS * DAY_MS).toISOString();
      return store.countOverdue(due);
    }),
  );
}
