import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { CrashBoundary } from '../../app/CrashBoundary.tsx';
import { Alert } from '../../design/components/Alert.tsx';
import { Icon } from '../../design/components/Icon.tsx';
import { close } from '../../design/components/icons.ts';
import { Skeleton } from '../../design/components/Skeleton.tsx';
import { OrderSummary } from './OrderSummary.tsx';
import type { Selection, Total } from './selection.ts';
import styles from './Checkout.module.css';

/** Stripe and the form come only when somebody has chosen. */
const PaymentForm = lazy(() => import('./PaymentForm.tsx').then((m) => ({ default: m.PaymentForm })));

interface Props {
  selection: Selection;
  total: Total;
  quote: string | undefined;
  onClose: () => void;
}

/** The panel that opens from the chosen card. */
export function Checkout({ selection, total, quote, onClose }: Props) {
  const { t } = useTranslation('checkout');
  return (
    <section className={`${styles.panel} ${styles[selection.packageType]}`} aria-label={t('panel.label')}>
      <div className={styles.form}>
        <CrashBoundary fallback={<Alert kind="wrong">{t('errors.noCard')}</Alert>}>
          <Suspense fallback={<Skeleton label={t('panel.loading')} lines={6} />}>
            <PaymentForm selection={selection} total={total} quote={quote} onCancel={onClose} />
          </Suspense>
        </CrashBoundary>
      </div>
      <OrderSummary selection={selection} total={total} />
      <button type="button" className={styles.close} aria-label={t('panel.close')} onClick={onClose}>
        <Icon of={close} size="large" />
      </button>
    </section>
  );
}
