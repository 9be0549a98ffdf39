import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../design/components/Button.tsx';
import { arrowLeft, arrowRight } from '../../design/components/icons.ts';
import { useFormats } from '../../i18n/format.ts';
import { type Listing, PAGE_SIZES, type PageSize, placeOf } from './use-listing.ts';
import type { Found } from './orders.ts';
import styles from './Paging.module.css';
import { useShown } from './use-shown.ts';

interface Props {
  listing: Listing;
  rows: number;
  /** Undefined while the total is unknown. */
  found: Found | undefined;
  nextCursor: string | undefined;
  /** False when only the first page's position is known. */
  knowsPrevious: boolean;
  onNext: (cursor: string) => void;
  onPrevious: () => void;
  onSize: (limit: PageSize) => void;
}

export function Paging({
  listing,
  rows,
  found,
  nextCursor,
  knowsPrevious,
  onNext,
  onPrevious,
  onSize,
}: Props) {
  const { t } = useTranslation('admin');
  const formats = useFormats();
  const shown = useShown();
  const id = useId();
  const { first, last } = placeOf(listing, rows);
  const figures = { first: formats.number(first), last: formats.number(last) };
  // Paging beyond the counted rows proves the count too low.
  const all = found && !(found.isLeast && found.count <= last) ? shown(found) : undefined;
  return (
    <nav className={styles.paging} aria-label={t('paging.label')}>
      <p className="quiet tabular" role="status">
        {all === undefined ? t('paging.placeOfMore', figures) : t('paging.place', { ...figures, all })}
      </p>
      <div className={styles.turn}>
        {listing.page > 1 && (
          <Button size="small" icon={arrowLeft} onClick={onPrevious}>
            {knowsPrevious ? t('paging.previous') : t('paging.first')}
          </Button>
        )}
        {nextCursor && (
          <Button size="small" icon={arrowRight} className={styles.next!} onClick={() => onNext(nextCursor)}>
            {t('paging.next')}
          </Button>
        )}
      </div>
      <div className={styles.size}>
        <label htmlFor={id} className="quiet">
          {t('paging.size')}
        </label>
        <select
          id={id}
          className={styles.select}
          value={listing.limit}
          onChange={(event) => onSize(Number(event.target.value) as PageSize)}
        >
          {PAGE_SIZES.map((size) => (
            <option key={size} value={size}>
              {formats.number(size)}
            </option>
          ))}
        </select>
      </div>
    </nav>
  );
}
