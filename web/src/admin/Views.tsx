import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { useFormats } from '../i18n/format.ts';
import { addressOf, PANEL_NAMES, type PanelName, PANELS } from './panels.ts';
import { useMay } from './permissions.tsx';
import styles from './Views.module.css';

interface Props {
  chosen: PanelName;
  /** Undefined until the first answer. */
  counts: Partial<Record<PanelName, number | undefined>>;
}

/** Tabs of the dashboard: the product spec's two with counts, then the others, in one scrolling row. */
export function Views({ chosen, counts }: Props) {
  const { t } = useTranslation('admin');
  const may = useMay();
  const row = useRef<HTMLUListElement>(null);
  // Counts that arrive make tabs wider.
  useEffect(() => markMore(row.current!));
  // On a phone the chosen tab may lie outside the visible row, also after the window was turned.
  useEffect(() => {
    const list = row.current!;
    const onScroll = () => markMore(list);
    const sizes = new ResizeObserver(() => showChosen(list));
    sizes.observe(list);
    list.addEventListener('scroll', onScroll);
    return () => {
      sizes.disconnect();
      list.removeEventListener('scroll', onScroll);
    };
  }, [chosen]);
  const view = (name: PanelName) => (
    <li key={name} className={PANELS[name].isMain ? '' : styles.quiet}>
      <Link to={addressOf(name)} className={styles.view} aria-current={name === chosen ? 'page' : undefined}>
        {t(`views.${name}`)} {name in counts && <Count of={counts[name]} name={name} />}
      </Link>
    </li>
  );
  return (
    <nav aria-label={t('views.label')} className={styles.nav}>
      <ul ref={row} className={styles.row}>
        {PANEL_NAMES.filter((name) => may(PANELS[name].needs)).map(view)}
      </ul>
    </nav>
  );
}

/** Scrolls the chosen tab to the middle of the row, because its edges fade out. */
function showChosen(list: HTMLElement): void {
  const tab = list.querySelector<HTMLElement>('[aria-current]');
  if (tab) {
    const { left, width } = tab.getBoundingClientRect();
    const row = list.getBoundingClientRect();
    list.scrollLeft += left + width / 2 - (row.left + row.width / 2);
  }
  markMore(list);
}

const markMore = (list: HTMLElement): void => {
  list.dataset.more = moreOf(list);
};

/** Where tabs lie outside the visible row, which fades there. */
function moreOf({ scrollLeft, clientWidth, scrollWidth }: HTMLElement): 'before' | 'after' | 'both' | 'none' {
  const before = scrollLeft > 1;
  const after = scrollLeft + clientWidth < scrollWidth - 1;
  return before && after ? 'both' : before ? 'before' : after ? 'after' : 'none';
}

function Count({ of, name }: { of: number | undefined; name: PanelName }) {
  const formats = useFormats();
  const waiting = name === 'transfers' && of !== undefined && of > 0;
  return (
    <span className={`${styles.count} ${waiting ? styles.waiting : ''}`}>
      {of === undefined ? '…' : formats.number(of)}
    </span>
  );
}
