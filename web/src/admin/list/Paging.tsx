import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router-dom';
import { Button } from '../../design/components/Button.tsx';
import { arrowLeft, arrowRight } from '../../design/components/icons.ts';
import { useFormats } from '../../i18n/format.ts';
import styles from './Paging.module.css';
import { useAddress } from './use-address.ts';

/** Search parameters of the first page; every change of a filter returns to it. */
export const TO_FIRST_PAGE = { cursor: null, page: null } as const;

/** The page that an address names: its cursor, and its number from 1 for display. */
export function pageOf(search: URLSearchParams): { cursor: string; page: number } {
  const cursor = search.get('cursor') ?? '';
  const page = Number(search.get('page'));
  return cursor && Number.isInteger(page) && page > 1 ? { cursor, page } : { cursor: '', page: 1 };
}

/** Cursors of the previous pages, first page first, in the history's entry. */
export function trailOf(state: unknown): string[] {
  if (typeof state !== 'object' || state === null || !('trail' in state)) return [];
  return Array.isArray(state.trail) ? state.trail.filter((cursor) => typeof cursor === 'string') : [];
}

/** Paging by cursor. Each page has its own address, so that a reload and going back keep it. */
function usePaging() {
  const [search, setSearch] = useAddress();
  const trail = trailOf(useLocation().state);
  const { cursor, page } = pageOf(search);
  const go = (to: { cursor: string; page: number }, nextTrail: string[]) =>
    setSearch(
      (current) => {
        const next = new URLSearchParams(current);
        for (const name of ['cursor', 'page'] as const)
          if (to.cursor) next.set(name, String(to[name]));
          else next.delete(name);
        return next;
      },
      { state: { trail: nextTrail } },
    );
  return {
    page,
    knowsPrevious: trail.length > 0,
    next: (to: string) => go({ cursor: to, page: page + 1 }, [...trail, cursor]),
    /** Previous page, or the first when its cursor is unknown. */
    previous: () =>
      go({ cursor: trail.at(-1) ?? '', page: trail.length > 0 ? page - 1 : 1 }, trail.slice(0, -1)),
  };
}

interface Props {
  /** Rows on this page, and the most that a page has. */
  rows: number;
  limit: number;
  /** Localized total; undefined while it is unknown or surely too low. */
  all?: string | undefined;
  next: string | undefined;
  /** Page sizes to choose from. */
  sizes?: readonly number[];
  onSize?: (limit: number) => void;
}

export function Paging({ rows, limit, all, next, sizes = [], onSize }: Props) {
  const { t } = useTranslation('admin');
  const formats = useFormats();
  const id = useId();
  const paging = usePaging();
  const before = (paging.page - 1) * limit;
  const figures = { first: formats.number(before + 1), last: formats.number(before + rows) };
  if (paging.page === 1 && !next && all === undefined) return null;
  return (
    <nav className={styles.paging} aria-label={t('paging.label')}>
      <p className="quiet tabular" role="status">
        {all !== undefined
          ? t('paging.place', { ...figures, all })
          : next
            ? t('paging.placeOfMore', figures)
            : t('paging.placeOfLast', figures)}
      </p>
      <div className={styles.turn}>
        {paging.page > 1 && (
          <Button size="small" icon={arrowLeft} onClick={paging.previous}>
            {paging.knowsPrevious ? t('paging.previous') : t('paging.first')}
          </Button>
        )}
        {next && (
          <Button size="small" icon={arrowRight} className={styles.next!} onClick={() => paging.next(next)}>
            {t('paging.next')}
          </Button>
        )}
      </div>
      {onSize && (
        <div className={styles.size}>
          <label htmlFor={id} className="quiet">
            {t('paging.size')}
          </label>
          <select
            id={id}
            className={styles.select}
            value={limit}
            onChange={(event) => onSize(Number(event.target.value))}
          >
            {sizes.map((size) => (
              <option key={size} value={size}>
                {formats.number(size)}
              </option>
            ))}
          </select>
        </div>
      )}
    </nav>
  );
}
