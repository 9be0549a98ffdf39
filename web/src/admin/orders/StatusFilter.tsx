import { useTranslation } from 'react-i18next';
import { Icon } from '../../design/components/Icon.tsx';
import { hourglass, plant, tree, userCheck } from '../../design/components/icons.ts';
import { useFormats } from '../../i18n/format.ts';
import { FILTERS, type Filter } from './orders.ts';
import styles from './StatusFilter.module.css';

const ICON_OF = { pending: hourglass, assigned: userCheck, planted: plant, completed: tree };

interface Props {
  chosen: Filter;
  /** Unknown until the first answer. */
  counts: Record<Filter, number> | undefined;
  onChoose: (filter: Filter) => void;
}

/** Which orders to list, with how many there are of each. */
export function StatusFilter({ chosen, counts, onChoose }: Props) {
  const { t } = useTranslation('admin');
  const { t: common } = useTranslation();
  const formats = useFormats();
  return (
    <div role="group" aria-label={t('orders.filter')} className={styles.filter}>
      {FILTERS.map((filter) => (
        <button
          key={filter}
          type="button"
          className={styles.choice}
          aria-pressed={filter === chosen}
          onClick={() => onChoose(filter)}
        >
          {filter !== 'all' && <Icon of={ICON_OF[filter]} size="small" className={styles.icon!} />}
          {filter === 'all' ? t('orders.all') : common(`status.${filter}`)}{' '}
          <strong className="tabular">{counts ? formats.number(counts[filter]) : '…'}</strong>
        </button>
      ))}
    </div>
  );
}
