import { cachedFor, type Metrics, plainGauge } from '@arboleda/chassis/http/metrics.ts';
import type { FieldLists } from './store.ts';

const COUNTED_EVERY_MS = 60_000;
const DAY_MS = 86_400_000;
/** Reminders end before this; closed roads may delay a visit for a season. */
const OVERDUE_AFTER_DAYS = 30;

/** Metrics of overdue growth visits: paid for and not made. */
export function showVisits(
  metrics: Metrics,
  store: Pick<FieldLists, 'countOverdue'>,
  clock: () => Date,
): void {
  plainGauge(
    metrics,
    { name: 'growth_visits_overdue', help: 'Growth visits that should have been made a month ago' },
    cachedFor(COUNTED_EVERY_MS, () => {
      const due = new Date(clock().getTime() - OVERDUE_AFTER_DAYS * DAY_MS).toISOString();
      return store.countOverdue(due);
    }),
  );
}
