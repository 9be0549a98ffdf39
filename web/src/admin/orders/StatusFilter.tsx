import { useTranslation } from 'react-i18next';
import { Icon } from '../../design/components/Icon.tsx';
import { hourglass, plant, tree, userCheck } from '../../design/components/icons.ts';
import { FILTERS, type Filter, foundBy } from './orders.ts';
import styles from './StatusFilter.module.css';
import { useShown } from './use-shown.ts';

const ICON_OF = { pending: hourglass, assigned: userCheck, planted: plant, completed: tree };

interface Props {
  chosen: Filter;
  /** Undefined until the first answer. */
  answer: Parameters<typeof foundBy>[0] | undefined;
  onChoose: (filter: Filter) => void;
}

export function StatusFilter({ chosen, answer, onChoose }: Props) {
  const { t } = useTranslation('admin');
  const { t: common } = useTranslation();
  const shown = useShown();
  const countOf = (filter: Filter) => {
    const found = answer && foundBy(answer, filter);
    return found ? shown(found) : !answer && '…';
  };
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
          {countOf(filter) && <strong className="tabular">{countOf(filter)}</strong>}
        </button>
      ))}
    </div>
  );
}
