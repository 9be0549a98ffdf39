import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { CrashBoundary } from '../../design/components/CrashBoundary.tsx';
import { loadChunk } from '../../design/load-chunk.ts';
import { Skeleton } from '../../design/components/Skeleton.tsx';
import type { GivenOrder } from './gifts.ts';

const OrderGift = lazy(async () => ({
  default: (await loadChunk(() => import('./OrderGift.tsx'))).OrderGift,
}));

/** The gift of an order, loaded after the order itself. */
export function GiftInOrder({ order }: { order: GivenOrder }) {
  const { t } = useTranslation();
  return (
    <CrashBoundary panel>
      <Suspense fallback={<Skeleton label={t('loading')} />}>
        <OrderGift order={order} />
      </Suspense>
    </CrashBoundary>
  );
}
