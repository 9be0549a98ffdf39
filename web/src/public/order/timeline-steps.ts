import type { PublicOrder } from '../../api/order.ts';
import { isOver } from '../../growth/schedule.ts';
import { moneyStateOf } from './money-state.ts';

export const STEP_NAMES = ['paid', 'assigned', 'planted', 'photos', 'growth'] as const;
export type StepName = (typeof STEP_NAMES)[number];

export interface Step {
  name: StepName;
  state: 'done' | 'current' | 'ahead';
}

type Facts = Pick<PublicOrder, 'status' | 'photos' | 'manualPayment' | 'growth'>;

const REACHED: Record<PublicOrder['status'], number> = { pending: 0, assigned: 1, planted: 2, completed: 2 };

/** Completed steps of an order; the latest is the current one. None while its transfer waits. */
export function stepsOf(order: Facts): Step[] {
  const reached = moneyStateOf(order) === 'to-verify' ? -1 : reachedBy(order);
  return STEP_NAMES.map((name, at) => ({
    name,
    state: at < reached ? 'done' : at === reached ? 'current' : 'ahead',
  }));
}

function reachedBy({ status, photos, growth = [] }: Facts): number {
  if (REACHED[status] < 2 || photos.length === 0) return REACHED[status];
  return growth.some(({ visits }) => visits.some(({ completedAt }) => completedAt)) ? 4 : 3;
}

type Growth = NonNullable<PublicOrder['growth']>;

/** The next update of all packages; undefined when none is left. */
export function nextVisit(growth: Growth = []): Growth[number]['visits'][number] | undefined {
  return growth
    .filter((one) => !isOver(one))
    .flatMap(({ visits }) => visits)
    .filter(({ completedAt }) => !completedAt)
    .sort((a, b) => Date.parse(a.dueAt) - Date.parse(b.dueAt))[0];
}
