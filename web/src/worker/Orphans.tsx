import { useTranslation } from 'react-i18next';
import { useField } from './field.ts';
import { isHandedOver, isOpen } from './outbox/item.ts';
import { PhotoRow } from './PhotoRow.tsx';
import { OneStep } from './steps.tsx';
import type { Assignment, Visit } from './tasks.ts';
import styles from './WorkerPortal.module.css';

interface Props {
  assignments: readonly Assignment[];
  visits: readonly Visit[];
}

/** Items of work now assigned to another worker, shown until dismissed. */
export function Orphans({ assignments, visits }: Props) {
  const { t } = useTranslation('worker');
  const { items } = useField();
  const known = new Set([...assignments, ...visits].map(({ _id }) => _id));
  const left = items.filter((item) => (isOpen(item) || isHandedOver(item)) && !known.has(item.occasion.id));
  if (left.length === 0) return null;
  return (
    <section aria-labelledby="orphans" className={styles.section}>
      <h2 id="orphans" className="sub-title">
        {t('orphans.title')}
      </h2>
      <p>{t('orphans.text')}</p>
      {left.map((item) =>
        item.kind === 'status' ? (
          <OneStep key={item.id} step={item} />
        ) : (
          <ul key={item.id}>
            <PhotoRow photo={item} />
          </ul>
        ),
      )}
    </section>
  );
}
