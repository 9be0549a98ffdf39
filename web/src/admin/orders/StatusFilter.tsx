import { useTranslation } from 'react-i18next';
import { Icon } from '../../design/components/Icon.tsx';
import { hourglass, plant, tree, userCheck } from '../../design/components/icons.ts';
import { FILTERS, type Filter, filterOf, foundBy } from './orders.ts';
import styles from './StatusFilter.module.css';
import { useShown } from './use-shown.ts';

const ICON_OF = { pending: hourglass, assigned: userCheck, planted: plant, completed: tree };

interface Props {
  chosen: Filter;
  /** Undefined until the first answer. */
  answer: Parameters<typeof foundBy>[0] | undefined;
  onChoose: (filter: Filter) => void;
}

/** Buttons with counts; on phones one select, so that the list is first. */
export function StatusFilter({ chosen, answer, onChoose }: Props) {
  const { t } = useTranslation('admin');
  const { t: common } = useTranslation();
  const shown = useShown();
  const countOf = (filter: Filter) => {
    const found = answer && foundBy(answer, filter);
    return found ? shown(found) : !answer && '…';
  };
  const wordOf = (filter: Filter) => (filter === 'all' ? t('orders.all') : common(`status.${filter}`));
  return (
    <>
      <select
        aria-label={t('orders.filter')}
        className={styles.select}
        value={chosen}
        onChange={(event) => onChoose(filterOf(event.target.value))}
      >
        {FILTERS.map((filter) => (
          <option key={filter} value={filter}>
            {[wordOf(filter), countOf(filter)].filter(Boolean).join(' ')}
          </option>
        ))}
      </select>
      <Chips {...{ chosen, onChoose, wordOf, countOf }} />
    </>
  );
}

interface ChipsProps extends Pick<Props, 'chosen' | 'onChoose'> {
  wordOf: (filter: Filter) => string;
  countOf: (filter: Filter) => string | false;
}

function Chips({ chosen, onChoose, wordOf, countOf }: ChipsProps) {
  const { t } = useTranslation('admin');
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
          {wordOf(filter)} {countOf(filter) && <strong className="tabular">{countOf(filter)}</strong>}
        </button>
      ))}
    </div>
  );
}
