import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PackagePrices } from '../../api/package-prices.ts';
import { usePesoPrices } from '../../api/packages.ts';
import { useOnline } from '../../api/use-online.ts';
import { CrashBoundary } from '../../design/components/CrashBoundary.tsx';
import { Alert } from '../../design/components/Alert.tsx';
import { Button } from '../../design/components/Button.tsx';
import { Icon } from '../../design/components/Icon.tsx';
import { close } from '../../design/components/icons.ts';
import { FormSkeleton } from '../../design/components/Skeleton.tsx';
import { useDraft } from '../../order/purchase/draft.ts';
import { OrderSummary } from './OrderSummary.tsx';
import { totalOf, type Selection } from './selection.ts';
import styles from './Checkout.module.css';

/** Stripe and the form load only when a choice is likely. */
export const FORM_QUERY = {
  queryKey: ['checkout-form'],
  queryFn: () => import('./PaymentForm.tsx'),
  staleTime: Infinity,
  structuralSharing: false,
} as const;

/** Currency of transfers: product spec section 7. */
const TRANSFER_CURRENCY = 'COP';

interface Props {
  selection: Selection;
  prices: PackagePrices;
  onClose: () => void;
  onWrongCount: () => void;
  onWorking: (isWorking: boolean) => void;
  onDone: (orderToken: string) => void;
}

export function Checkout({ selection, prices, onClose, onWrongCount, onWorking, onDone }: Props) {
  const { t } = useTranslation('checkout');
  const { method } = useDraft();
  const [isWorking, setIsWorking] = useState(false);
  const isOnline = useOnline();
  const form = useQuery(FORM_QUERY);
  const isTransfer = method.kind === 'transfer';
  const isForeign = prices.currency !== TRANSFER_CURRENCY;
  // Also before the transfer is chosen, so that the choice can say what it will cost.
  const pesos = usePesoPrices(isForeign);
  const known = isForeign ? pesos.data : prices;
  // Prices fall back to dollars when the peso's rate is too old; a Colombian bank takes no dollars.
  const hasNoPesos = known !== undefined && known.currency !== TRANSFER_CURRENCY;
  const transferPrices = hasNoPesos ? undefined : known;
  const applying = isTransfer ? transferPrices : prices;
  const total = applying && totalOf(selection, applying);
  const isUnpriced = isTransfer && (hasNoPesos || (isForeign && pesos.isError));
  const [reportWorking] = useState(() => (working: boolean) => {
    setIsWorking(working);
    onWorking(working);
  });
  return (
    <section className={`${styles.panel} ${styles[selection.packageType]}`} aria-label={t('panel.label')}>
      <div className={styles.form}>
        <CrashBoundary fallback={<Alert kind="wrong">{t('errors.crashed')}</Alert>}>
          {form.data ? (
            <form.data.PaymentForm
              selection={selection}
              total={total}
              quote={applying?.quote}
              pesos={transferPrices}
              isForeign={isForeign}
              priceFailed={isTransfer && isForeign && pesos.isError}
              hasNoPesos={hasNoPesos}
              onRetryPrice={() => void pesos.refetch()}
              onCancel={onClose}
              onWrongCount={onWrongCount}
              onWorking={reportWorking}
              onDone={onDone}
            />
          ) : form.isError ? (
            <Alert kind="wrong" action={<Button onClick={() => void form.refetch()}>{t('again')}</Button>}>
              {t('errors.form')}
            </Alert>
          ) : isOnline ? (
            <FormSkeleton label={t('panel.opening')} fields={4} />
          ) : (
            <Alert kind="offline">{t('offline')}</Alert>
          )}
        </CrashBoundary>
      </div>
      <OrderSummary selection={selection} total={total} isUnpriced={isUnpriced} />
      <button
        type="button"
        className={styles.close}
        aria-label={t('panel.close')}
        disabled={isWorking}
        onClick={onClose}
      >
        <Icon of={close} size="large" />
      </button>
    </section>
  );
}
