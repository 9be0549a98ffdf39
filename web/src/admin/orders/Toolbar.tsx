import { NO_WORKER } from '@arboleda/contracts/order.ts';
import { type RefObject, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../design/components/Button.tsx';
import { useFormats } from '../../i18n/format.ts';
import { SearchBox } from '../list/SearchBox.tsx';
import { useMay } from '../permissions.tsx';
import type { Workload } from '../workers/workers.ts';
import { Control, type Option, Toggle, type Words } from './FilterControl.tsx';
import styles from './Toolbar.module.css';
import {
  choicesOf,
  type FilterName,
  filtersOf,
  kindOf,
  type Listing,
  LONGEST_SEARCH,
  type Sort,
} from './use-listing.ts';

type Change = (changes: Partial<Listing>, replace?: boolean) => void;

interface Props {
  listing: Listing;
  onChange: Change;
  searchRef: RefObject<HTMLInputElement | null>;
  /** Undefined until they are known. */
  workers: readonly Workload[] | undefined;
}

/** Search, filters and days in one row. On phones the filters open on request, so that the list is first. */
export function Toolbar({ listing, onChange, searchRef, workers = [] }: Props) {
  const { t } = useTranslation('admin');
  const formats = useFormats();
  const [isOpen, setOpen] = useState(false);
  const { from, to } = listing;
  const backwards = from !== '' && to !== '' && from > to;
  const count = filtersOf(listing);
  const wrong = backwards ? { 'aria-invalid': true, 'aria-describedby': 'backwards' } : {};
  const bounds = { from: { max: to || undefined, ...wrong }, to: { min: from || undefined, ...wrong } };
  return (
    <div role="search" className={styles.bar} aria-label={t('find.label')}>
      <SearchBox
        label={t('find.search')}
        value={listing.q}
        maxLength={LONGEST_SEARCH}
        onSearch={(q, replace) => onChange({ q }, replace)}
        searchRef={searchRef}
        shortcut="/"
      />
      <Button size="small" className={styles.opener!} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {count === 0 ? t('find.filters') : t('find.filtersInUse', { shown: formats.number(count) })}
      </Button>
      <div className={`${styles.filters} ${isOpen ? styles.open : ''}`}>
        {useControls(listing, workers).map(({ name, ...words }) => (
          <Control
            key={name}
            {...words}
            kind={kindOf(name)}
            value={listing[name]}
            input={name === 'from' || name === 'to' ? bounds[name] : undefined}
            onChange={(value) => onChange({ [name]: value })}
          />
        ))}
        {(listing.assignedFrom !== '' || listing.assignedTo !== '') && (
          <Toggle on onSwitch={() => onChange({ assignedFrom: '', assignedTo: '' })}>
            {t('find.assignedThen')}
          </Toggle>
        )}
      </div>
      {backwards && (
        <p id="backwards" className={styles.wrong}>
          {t('find.backwards')}
        </p>
      )}
    </div>
  );
}

/** The words of all filters, in the order in which they stand. What each accepts, the contract says. */
function useControls(
  listing: Listing,
  workers: readonly Workload[],
): (Words & { name: Exclude<FilterName, 'status'> })[] {
  const { t } = useTranslation('admin');
  const may = useMay();
  const named = workers.map(({ workerId, name }) => ({ value: workerId, text: name }));
  const regions = [...new Set(workers.map((one) => one.region))].sort((one, other) =>
    one.localeCompare(other),
  );
  return [
    ...(may('workers:read')
      ? [
          {
            name: 'worker' as const,
            label: t('columns.worker'),
            any: t('find.anyWorker'),
            options: known(listing.worker, [{ value: NO_WORKER, text: t('find.noWorker') }, ...named]),
          },
          {
            name: 'region' as const,
            label: t('columns.region'),
            any: t('find.anyRegion'),
            options: known(
              listing.region,
              regions.map((name) => ({ value: name, text: name })),
            ),
          },
        ]
      : []),
    {
      name: 'method',
      label: t('facts.method'),
      any: t('find.anyMethod'),
      options: choicesOf('method').map((one) => ({ value: one, text: t(`find.methods.${one}`) })),
    },
    {
      name: 'gift',
      label: t('gift.title'),
      any: t('find.giftOrNot'),
      options: choicesOf('gift').map((one) => ({ value: one, text: t(`find.gifts.${one}`) })),
    },
    { name: 'refunded', label: t('find.refunded') },
    { name: 'flagged', label: t('find.flagged') },
    { name: 'from', label: t('find.from') },
    { name: 'to', label: t('find.to') },
    // Only the overview leads here.
    ...(listing.withdrawal ? [{ name: 'withdrawal' as const, label: t('find.withdrawing') }] : []),
  ];
}

/** Keeps a value of the address that the list does not have, such as a worker who is not loaded yet. */
const known = (value: string, options: readonly Option[]): readonly Option[] =>
  value === '' || options.some((one) => one.value === value) ? options : [...options, { value, text: value }];

interface SortProps {
  sort: Sort;
  onSort: (sort: Sort) => void;
}

/** All sort orders; phones have no heads to press, and the last change has no column. */
export function SortSelect({ sort, onSort }: SortProps) {
  const { t } = useTranslation('admin');
  return (
    <select
      aria-label={t('find.sort')}
      className={styles.input}
      value={sort}
      onChange={(event) => onSort(event.target.value as Sort)}
    >
      {choicesOf('sort').map((one) => (
        <option key={one} value={one}>
          {t(`find.sorts.${one}`)}
        </option>
      ))}
    </select>
  );
}
