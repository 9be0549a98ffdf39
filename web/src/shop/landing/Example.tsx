import { useTranslation } from 'react-i18next';
import { ContourMap } from '../../design/components/ContourMap.tsx';
import { Facts } from '../../design/components/Facts.tsx';
import styles from './Example.module.css';

const FACTS = ['order', 'by', 'place', 'coordinates', 'date', 'photos'] as const;

export function Example() {
  const { t } = useTranslation('landing');
  return (
    <section className={`container ${styles.example}`} aria-labelledby="example-title">
      <div className={styles.words}>
        <h2 id="example-title" className={styles.title}>
          {t('example.title')}
        </h2>
        <p>{t('example.text')}</p>
        <p className="small quiet">{t('example.note')}</p>
      </div>
      <div className={styles.card}>
        <ContourMap className={styles.map} label={t('example.map')} />
        <Facts
          rows={FACTS.map((key) => ({ label: t(`example.${key}.label`), value: t(`example.${key}.value`) }))}
        />
      </div>
    </section>
  );
}
