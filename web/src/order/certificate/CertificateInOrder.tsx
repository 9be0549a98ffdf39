import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { CrashBoundary } from '../../design/components/CrashBoundary.tsx';
import { loadChunk } from '../../design/load-chunk.ts';
import { Skeleton } from '../../design/components/Skeleton.tsx';
import { isUnderWay } from '../money/money-state.ts';
import type { CertifiedOrder } from './certificates.ts';

/** Whether an order has something to say about a certificate. */
export const hasCertificate = (order: CertifiedOrder): boolean =>
  isUnderWay(order) || order.certificate !== undefined;

const OrderCertificate = lazy(async () => ({
  default: (await loadChunk(() => import('./OrderCertificate.tsx'))).OrderCertificate,
}));

/** The certificate of an order, loaded after the order itself. */
export function CertificateInOrder({ order }: { order: CertifiedOrder }) {
  const { t } = useTranslation();
  return (
    <CrashBoundary panel>
      <Suspense fallback={<Skeleton label={t('loading')} />}>
        <OrderCertificate order={order} />
      </Suspense>
    </CrashBoundary>
  );
}
