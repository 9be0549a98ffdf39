import { useTranslation } from 'react-i18next';
import styles from './Changes.module.css';
import type { EditField } from './edit.ts';

interface Change {
  field: string;
  from: string;
  to: string;
}

export function Changes({ changes }: { changes: readonly Change[] }) {
  const { t } = useTranslation('admin');
  return (
    <ul className={styles.changes}>
      {changes.map(({ field, from, to }) => (
        <li key={field}>
          <span className="quiet">{t(`edit.${field as EditField}`, { defaultValue: field })}: </span>
          {from === '' ? <span className="quiet">{t('edit.empty')}</span> : <del>{from}</del>}{' '}
          <span aria-hidden="true">→ </span>
          <span className="visually-hidden">{t('history.to')} </span>
          {to === '' ? (
            <span className="quiet">{t('edit.empty')}</span>
          ) : (
            <ins className={styles.now}>{to}</ins>
          )}
        </li>
      ))}
    </ul>
  );
}
