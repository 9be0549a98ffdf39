import { lazy, Suspense, useState } from 'react';
import { CrashBoundary } from '../../design/components/CrashBoundary.tsx';
import { loadChunk } from '../../design/load-chunk.ts';
import type { WithdrawableOrder } from './Withdrawal.tsx';
import styles from './withdrawal.module.css';

const Withdrawal = lazy(async () => ({
  default: (await loadChunk(() => import('./Withdrawal.tsx'))).Withdrawal,
}));

/** Withdrawing from the purchase, loaded after the order itself and only where there is something to do. */
export function WithdrawalInOrder({ order }: { order: WithdrawableOrder }) {
  const [now] = useState(() => Date.now());
  const { withdrawal, withdrawableUntil } = order;
  const isInTime = withdrawableUntil !== undefined && Date.parse(withdrawableUntil) >= now;
  if (!withdrawal && !isInTime) return null;
  return (
    <CrashBoundary panel>
      <Suspense fallback={<div className={styles.box} />}>
        <Withdrawal order={order} />
      </Suspense>
    </CrashBoundary>
  );
}
