import type { MetricName } from '@arboleda/chassis/telemetry/names.ts';
import { backupOld, type Finding, OLD_BACKUP_SECONDS } from './settings.ts';

/** Findings in a service's /metrics, for services with a database of their own. */
export const figureFindings = (service: string, metrics: string): Finding[] =>
  RULES.flatMap(({ figure, above, says }) => {
    const value = highest(metrics, figure);
    return value !== undefined && value > above ? [says(service, value)] : [];
  });

/** The same thresholds as the alerts; docs/operations.md explains each. */
const RULES: { figure: MetricName; above: number; says: (service: string, value: number) => Finding }[] = [
  {
    figure: 'outbox_age_seconds',
    above: 60,
    says: (of, s) => `${of} could not hand over an event for ${Math.round(s)} s: see Kafka, and its log.`,
  },
  {
    figure: 'events_dead_letters',
    above: 0,
    says: (of, n) => `${of} gave up ${n} events: npm run dlq -- list says why.`,
  },
  {
    figure: 'jobs_dead',
    above: 0,
    says: (of, n) => `${of} gave up ${n} jobs: npm run dlq -- list says why.`,
  },
  {
    figure: 'photos_given_up',
    above: 0,
    says: (of, n) => `${of} gave up the pictures of ${n} photos: npm run dlq -- list says why.`,
  },
  {
    figure: 'events_waiting',
    above: 100,
    says: (of, n) => `${n} events wait for ${of}: see its log, or give it more replicas.`,
  },
  {
    figure: 'jobs_waiting',
    above: 100,
    says: (of, n) => `${n} jobs of ${of} are due and not begun: see its log, or give it more replicas.`,
  },
  {
    figure: 'transfers_oldest_seconds',
    above: 86_400,
    says: () =>
      'A bank transfer waits for more than a day: an admin has to compare it with the bank’s statement.',
  },
  {
    figure: 'rates_too_old',
    above: 0,
    says: (_of, n) =>
      `Exchange rates of ${n} currencies are too old (RATES_ALERT_AFTER_DAYS): see RATES_URL and the log of pricing.`,
  },
  {
    figure: 'growth_visits_overdue',
    above: 0,
    says: (_of, n) => `${n} growth visits should have been made a month ago: ask their workers.`,
  },
  {
    figure: 'photos_waiting',
    above: 100,
    says: (_of, n) => `${n} photos are kept and not shown: see the log of media, or give it more replicas.`,
  },
  {
    figure: 'backup_age_seconds',
    above: OLD_BACKUP_SECONDS,
    says: (_of, s) => backupOld(s),
  },
];

/** The greatest value of a metric over all labels. */
function highest(metrics: string, figure: string): number | undefined {
  const values = metrics
    .split('\n')
    .filter((line) => line.startsWith(`${figure}{`) || line.startsWith(`${figure} `))
    .map((line) => Number(line.split(' ').at(-1)));
  return values.length > 0 ? Math.max(...values) : undefined;
}
