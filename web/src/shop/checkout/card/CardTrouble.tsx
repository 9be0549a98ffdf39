import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useOnline } from '../../../api/use-online.ts';
import { Alert } from '../../../design/components/Alert.tsx';
import { Button } from '../../../design/components/Button.tsx';
import type { CardLibrary } from './card-library.ts';
import styles from './CardFields.module.css';

/** Longest wait before an explanation appears. */
const SLOW_AFTER_MS = 10_000;

interface Props {
  library: CardLibrary;
  frameFailed: boolean;
  /** Present where buyers can pay by transfer. */
  onTransfer: (() => void) | undefined;
}

/** Shown when the card fields fail or take long: the reason, and the other payment method. */
export function CardTrouble({ library, frameFailed, onTransfer }: Props) {
  const { t } = useTranslation('checkout');
  const isOnline = useOnline();
  const isWaiting = !library.data && !library.isError && isOnline;
  const isLate = useLate(isWaiting);
  const toTransfer = onTransfer && <Button onClick={onTransfer}>{t('card.transferInstead')}</Button>;
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
      {t(onTransfer ? 'card.late' : 'card.lateOnly')}
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
