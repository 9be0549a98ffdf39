import { addMonths } from '@arboleda/contracts/months.ts';
import type { Mark, ScheduleAxis } from '../../design/components/GrowthSchedule.tsx';

const YEAR_MS = 365.2425 * 86_400_000;
/** Margin at both ends of the axis, so that no dot is cut, in years. */
const MARGIN_YEARS = 0.12;
const LONGEST_YEARS = 5;

/**
 * Visit dates of a package bought now, counted from the later of planting and purchase.
 * @returns undefined before the planting
 */
export function visitDates(
  months: readonly number[],
  plantingDate: string | undefined,
  now: Date,
): string[] | undefined {
  if (!plantingDate) return undefined;
  const from = later(plantingDate, now.toISOString());
  return months.map((month) => addMonths(from, month));
}

const later = (one: string, other: string): string => (Date.parse(one) > Date.parse(other) ? one : other);

/** Axis of calendar years around the given instants, with each year labeled in its middle. */
export function axisOfYears(moments: readonly string[]): ScheduleAxis {
  const times = moments.map((moment) => Date.parse(moment));
  const first = Math.min(...times) - MARGIN_YEARS * YEAR_MS;
  const last = Math.max(...times) + MARGIN_YEARS * YEAR_MS;
  const share = (time: number) => (time - first) / (last - first);
  const ticks = [];
  for (let year = new Date(first).getUTCFullYear(); year <= new Date(last).getUTCFullYear(); year++) {
    const at = share(Date.UTC(year, 6, 1));
    if (at > 0 && at < 1) ticks.push({ at, year });
  }
  // A schedule within half a year contains no middle of a year.
  if (ticks.length === 0) ticks.push({ at: 0.5, year: new Date(times[0]!).getUTCFullYear() });
  return {
    ticks: ticks.map(({ at, year }) => ({ at, label: String(year) })),
    place: (moment) => share(Date.parse(moment)),
  };
}

/** Before the planting dates are unknown, so the axis counts years after it. */
export function axisAfterPlanting(yearName: (number: number) => string) {
  const span = LONGEST_YEARS + 2 * MARGIN_YEARS;
  const share = (years: number) => (years + MARGIN_YEARS) / span;
  return {
    ticks: Array.from({ length: LONGEST_YEARS }, (_, at) => ({
      at: share(at + 0.5),
      label: yearName(at + 1),
    })),
    place: (month: number) => share(month / 12),
  };
}

interface Visit {
  dueAt: string;
  completedAt?: string | undefined;
}

/** A visit is due from its day until its photos arrive. */
export function stateOf({ dueAt, completedAt }: Visit, now: Date): Mark['state'] {
  if (completedAt) return 'done';
  return Date.parse(dueAt) <= now.getTime() ? 'due' : 'ahead';
}

interface Ended {
  completedAt?: string | undefined;
  stoppedAt?: string | undefined;
}

export const isOver = ({ completedAt, stoppedAt }: Ended): boolean => Boolean(completedAt ?? stoppedAt);

/** Whether to offer growth updates; the server decides in the end. */
export function mayGrow(order: {
  withdrawn?: true | undefined;
  withdrawal?: object | undefined;
  amount: number;
  refundedAmount?: number | undefined;
  lostAmount?: number | undefined;
  manualPayment?: { verificationStatus: string } | undefined;
  growth?: readonly Ended[] | undefined;
}): boolean {
  if (order.withdrawal) return false;
  if (order.withdrawn || (order.refundedAmount ?? 0) + (order.lostAmount ?? 0) >= order.amount) return false;
  if (order.manualPayment && order.manualPayment.verificationStatus !== 'approved') return false;
  return (order.growth ?? []).every(isOver);
}
