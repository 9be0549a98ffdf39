import type { PublicOrder } from '../../api/order.ts';

export const STEP_NAMES = ['paid', 'assigned', 'planted', 'photos', 'growth'] as const;
export type StepName = (typeof STEP_NAMES)[number];

export interface Step {
  name: StepName;
  state: 'done' | 'current' | 'ahead';
}

type Facts = Pick<PublicOrder, 'status' | 'photos'>;

const REACHED: Record<PublicOrder['status'], number> = { pending: 0, assigned: 1, planted: 2, completed: 2 };

/** How far an order has come: the latest step that is done is the current one. */
export function stepsOf({ status, photos }: Facts): Step[] {
  const reached = REACHED[status] === 2 && photos.length > 0 ? 3 : REACHED[status];
  return STEP_NAMES.map((name, at) => ({
    name,
    state: at < reached ? 'done' : at === reached ? 'current' : 'ahead',
  }));
}
