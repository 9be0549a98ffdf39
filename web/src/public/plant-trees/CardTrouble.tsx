import { DEFAULT_BANK } from '@arboleda/contracts/payment-method.ts';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useOnline } from '../../api/use-online.ts';
import { Alert } from '../../design/components/Alert.tsx';
import { Button } from '../../design/components/Button.tsx';
import { changeDraft } from './draft.ts';
import type { CardLibrary } from './card-library.ts';
import styles from './PaymentForm.module.css';

/** Longest wait before an explanation appears. */
const SLOW_AFTER_MS = 10_000;

/** Shown when the card fields fail or take long: the reason, and the other payment method. */
export function CardTrouble({ library, frameFailed }: { library: CardLibrary; frameFailed: boolean }) {
  const { t } = useTranslation('checkout');
  const isOnline = useOnline();
  const isWaiting = !library.data && !library.isError && isOnline;
  const isLate = useLate(isWaiting);
  const toTransfer = (
    <Button onClick={() => changeDraft({ method: { kind: 'transfer', bank: DEFAULT_BANK } })}>
      {t('card.transferInstead')}
    </Button>
  );
  if (library.isError || frameFailed) {
    return (
      <Alert
        kind="wrong"
        action={
          <span className={styles.ways}>
            {library.isError && <Button onClick={library.retry}>{t('again')}</Button>}
            {toTransfer}
          </span>
        }
      >
        {t('errors.library')}
      </Alert>
    );
  }
  if (!isWaiting || !isLate) return null;
  return (
    <Alert kind="note" action={toTransfer}>
      {t('card.late')}
    </Alert>
  );
}

function useLate(isWaiting: boolean): boolean {
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setTimeout(() => setIsLate(true), SLOW_AFTER_MS);
    return () => {
      clearTimeout(timer);
      setIsLate(false);
    };
  }, [isWaiting]);
  return isLate;
}
