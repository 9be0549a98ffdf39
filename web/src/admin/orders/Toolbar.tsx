import { type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../design/components/Button.tsx';
import { Icon } from '../../design/components/Icon.tsx';
import { download, magnifier } from '../../design/components/icons.ts';
import { type Listing, type Sort, SORTS } from './use-listing.ts';
import type { Found } from './orders.ts';
import styles from './Toolbar.module.css';
import { useShown } from './use-shown.ts';

interface Props {
  listing: Listing;
  onChange: (changes: Partial<Listing>, replace?: boolean) => void;
  searchRef: RefObject<HTMLInputElement | null>;
  /** Rows of the export; undefined until the first answer or when too many to count. */
  found: Found | undefined;
  exporting: boolean;
  onExport: () => void;
}

export function Toolbar({ listing, onChange, searchRef, found, exporting, onExport }: Props) {
  const { t } = useTranslation('admin');
  const shown = useShown();
  const { from, to, sort } = listing;
  const backwards = from !== '' && to !== '' && from > to;
  return (
    <div role="search" className={styles.bar} aria-label={t('find.label')}>
      <Search q={listing.q} onSearch={onChange} searchRef={searchRef} />
      <Labelled label={t('find.from')}>
        {(id) => (
          <input
            id={id}
            type="date"
            className={styles.input}
            value={from}
            max={to || undefined}
            aria-invalid={backwards || undefined}
            aria-describedby={backwards ? 'backwards' : undefined}
            onChange={(event) => onChange({ from: event.target.value })}
          />
        )}
      </Labelled>
      <Labelled label={t('find.to')}>
        {(id) => (
          <input
            id={id}
            type="date"
            className={styles.input}
            value={to}
            min={from || undefined}
            aria-invalid={backwards || undefined}
            aria-describedby={backwards ? 'backwards' : undefined}
            onChange={(event) => onChange({ to: event.target.value })}
          />
        )}
      </Labelled>
      <Labelled label={t('find.sort')}>
        {(id) => (
          <select
            id={id}
            className={styles.input}
            value={sort}
            onChange={(event) => onChange({ sort: event.target.value as Sort })}
          >
            {SORTS.map((one) => (
              <option key={one} value={one}>
                {t(`find.sorts.${one}`)}
              </option>
            ))}
          </select>
        )}
      </Labelled>
      <div className={styles.file}>
        <Button
          size="small"
          icon={download}
          disabled={found?.count === 0}
          working={exporting && t('find.exporting')}
          onClick={onExport}
        >
          {found === undefined ? t('find.csv') : t('find.csvOf', { count: found.count, shown: shown(found) })}
        </Button>
      </div>
      {backwards && (
        <p id="backwards" className={styles.wrong}>
          {t('find.backwards')}
        </p>
      )}
    </div>
  );
}

function Labelled({
  label,
  className = '',
  children,
}: {
  label: string;
  className?: string;
  children: (id: string) => ReactNode;
}) {
  const id = useId();
  return (
    <div className={`${styles.field} ${className}`}>
      <label htmlFor={id}>{label}</label>
      {children(id)}
    </div>
  );
}

const TYPING_MS = 300;

/** Searches when typing pauses. Going back in the browser restores earlier words. */
function Search({
  q,
  onSearch,
  searchRef,
}: {
  q: string;
  onSearch: Props['onChange'];
  searchRef: Props['searchRef'];
}) {
  const { t } = useTranslation('admin');
  const [text, setText] = useState(q);
  const [asked, setAsked] = useState(q);
  const [seen, setSeen] = useState(q);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  if (q !== seen) {
    setSeen(q);
    if (q !== asked) {
      setAsked(q);
      setText(q);
    }
  }
  const ask = (wanted: string) => {
    clearTimeout(timer.current);
    if (wanted === q) return;
    setAsked(wanted);
    // Typing replaces the history entry, so that going back is one step.
    onSearch({ q: wanted }, q !== '' && wanted !== '');
  };
  return (
    <Labelled label={t('find.search')} className={styles.search!}>
      {(id) => (
        <span className={styles.box}>
          <Icon of={magnifier} />
          <input
            id={id}
            ref={searchRef}
            type="search"
            className={styles.input}
            maxLength={100}
            autoComplete="off"
            spellCheck={false}
            value={text}
            onChange={({ target: { value } }) => {
              setText(value);
              clearTimeout(timer.current);
              timer.current = setTimeout(() => ask(value.trim()), TYPING_MS);
            }}
            onKeyDown={(event) => event.key === 'Enter' && ask(text.trim())}
          />
          <kbd className={styles.key} aria-hidden="true">
            /
          </kbd>
        </span>
      )}
    </Labelled>
  );
}
