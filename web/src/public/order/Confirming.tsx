import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import seeds from '../../art/sp-seeds.svg';
import sprout from '../../art/st-2.svg';
import { ButtonLink } from '../../design/components/Button.tsx';
import styles from './OrderPage.module.css';

const PATIENCE_MS = 60_000;

/** Shown between payment and order; reports an unusual delay. */
export function Confirming({ isRefused }: { isRefused: boolean }) {
  const { t } = useTranslation('order');
  const late = useLate(PATIENCE_MS);
  if (isRefused) {
    return (
      <div className={styles.confirming}>
        <img src={seeds} width="168" height="132" alt="" />
        <h1 className="page-title">{t('confirming.refused')}</h1>
        <p className="lead">{t('confirming.refusedText')}</p>
        <ButtonLink to="/plant-trees" look="accent">
          {t('confirming.back')}
        </ButtonLink>
      </div>
    );
  }
  return (
    <div className={styles.confirming}>
      <img className={styles.sprout} src={sprout} width="132" height="168" alt="" />
      <h1 className="page-title">{t('confirming.title')}</h1>
      <p className="lead" role="status">
        {late ? t('confirming.long') : t('confirming.text')}
      </p>
    </div>
  );
}

function useLate(afterMs: number): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), afterMs);
    return () => clearTimeout(timer);
  }, [afterMs]);
  return late;
}
