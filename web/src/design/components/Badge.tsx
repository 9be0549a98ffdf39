import type { ReactNode } from 'react';
import { Icon } from './Icon.tsx';
import { checkBold, clock, crossBold, hourglass, plant, tree, userCheck, type Outline } from './icons.ts';
import styles from './Badge.module.css';

export type OrderStatus = 'pending' | 'assigned' | 'planted' | 'completed';
export type Verification = 'to-verify' | 'approved' | 'rejected';

const ICON_OF: Record<OrderStatus | Verification, Outline> = {
  pending: hourglass,
  assigned: userCheck,
  planted: plant,
  completed: tree,
  'to-verify': clock,
  approved: checkBold,
  rejected: crossBold,
};

/** Order statuses are filled, transfer verifications outlined; icon and text always appear together. */
export function Badge({ of, children }: { of: OrderStatus | Verification; children: ReactNode }) {
  return (
    <span className={`${styles.badge} ${styles[of]}`}>
      <Icon of={ICON_OF[of]} size="small" />
      {children}
    </span>
  );
}
