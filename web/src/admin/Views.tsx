import { useEffect, useLayoutEffect, useRef } from 'react';
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
  useEffect(() => {
    const list = row.current!;
    const mark = () => (list.dataset.more = moreOf(list));
    mark();
    list.addEventListener('scroll', mark);
    window.addEventListener('resize', mark);
    return () => {
      list.removeEventListener('scroll', mark);
      window.removeEventListener('resize', mark);
    };
  }, []);
  // On a phone the current tab may lie outside the visible row.
  useLayoutEffect(() => {
    const current = row.current?.querySelector<HTMLElement>('[aria-current]');
    if (row.current && current) row.current.scrollLeft = current.offsetLeft - row.current.offsetLeft - 32;
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
