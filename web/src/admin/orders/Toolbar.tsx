import { NO_WORKER } from '@arboleda/contracts/order.ts';
import { type ReactNode, type RefObject, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../design/components/Button.tsx';
import { useFormats } from '../../i18n/format.ts';
import { useMay } from '../permissions.tsx';
import { SearchBox } from '../list/SearchBox.tsx';
import type { Workload } from '../workers/workers.ts';
import styles from './Toolbar.module.css';
import { filtersOf, GIFTS, type Listing, METHODS, type Sort, SORTS } from './use-listing.ts';

type Change = (changes: Partial<Listing>, replace?: boolean) => void;

interface Props {
  listing: Listing;
  onChange: Change;
  searchRef: RefObject<HTMLInputElement | null>;
  /** Undefined until they are known. */
  workers: readonly Workload[] | undefined;
}

/** Search, filters, days and sort order in one row. On phones the filters open on request, so that the list is first. */
export function Toolbar({ listing, onChange, searchRef, workers = [] }: Props) {
  const { t } = useTranslation('admin');
  const formats = useFormats();
  const may = useMay();
  const [isOpen, setOpen] = useState(false);
  const { from, to, worker, region, method } = listing;
  const backwards = from !== '' && to !== '' && from > to;
  const count = filtersOf(listing);
  const regions = [...new Set(workers.map((one) => one.region))].sort((one, other) =>
    one.localeCompare(other),
  );
  const options = workers.map(({ workerId, name }) => ({ value: workerId, text: name }));
  const wrong = {
    'aria-invalid': backwards || undefined,
    'aria-describedby': backwards ? 'backwards' : undefined,
  };
  return (
    <div role="search" className={styles.bar} aria-label={t('find.label')}>
      <SearchBox
        label={t('find.search')}
        value={listing.q}
        maxLength={100}
        onSearch={(q, replace) => onChange({ q }, replace)}
        searchRef={searchRef}
        shortcut="/"
      />
      <Button size="small" className={styles.opener!} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {count === 0 ? t('find.filters') : t('find.filtersInUse', { shown: formats.number(count) })}
      </Button>
      <div className={`${styles.filters} ${isOpen ? styles.open : ''}`}>
        {may('workers:read') && (
          <>
            <Choice
              label={t('columns.worker')}
              any={t('find.anyWorker')}
              value={worker}
              options={known(worker, [{ value: NO_WORKER, text: t('find.noWorker') }, ...options])}
              onChoose={(value) => onChange({ worker: value })}
            />
            <Choice
              label={t('columns.region')}
              any={t('find.anyRegion')}
              value={region}
              options={known(
                region,
                regions.map((name) => ({ value: name, text: name })),
              )}
              onChoose={(value) => onChange({ region: value })}
            />
          </>
        )}
        <Choice
          label={t('facts.method')}
          any={t('find.anyMethod')}
          value={method}
          options={METHODS.filter((one) => one !== '').map((one) => ({
            value: one,
            text: t(`find.methods.${one}`),
          }))}
          onChoose={(value) => onChange({ method: METHODS.find((one) => one === value) ?? '' })}
        />
        <Choice
          label={t('gift.title')}
          any={t('find.giftOrNot')}
          value={listing.gift}
          options={GIFTS.filter((one) => one !== '').map((one) => ({
            value: one,
            text: t(`find.gifts.${one}`),
          }))}
          onChoose={(value) => onChange({ gift: GIFTS.find((one) => one === value) ?? '' })}
        />
        <Toggle on={listing.refunded} onSwitch={(refunded) => onChange({ refunded })}>
          {t('find.refunded')}
        </Toggle>
        <Toggle on={listing.flagged} onSwitch={(flagged) => onChange({ flagged })}>
          {t('find.flagged')}
        </Toggle>
        <Labelled label={t('find.from')} isShown>
          {(id) => (
            <input
              id={id}
              type="date"
              className={styles.input}
              value={from}
              max={to || undefined}
              {...wrong}
              onChange={(event) => onChange({ from: event.target.value })}
            />
          )}
        </Labelled>
        <Labelled label={t('find.to')} isShown>
          {(id) => (
            <input
              id={id}
              type="date"
              className={styles.input}
              value={to}
              min={from || undefined}
              {...wrong}
              onChange={(event) => onChange({ to: event.target.value })}
            />
          )}
        </Labelled>
        {listing.withdrawal && (
          <Toggle on onSwitch={() => onChange({ withdrawal: false })}>
            {t('find.withdrawing')}
          </Toggle>
        )}
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
      {SORTS.map((one) => (
        <option key={one} value={one}>
          {t(`find.sorts.${one}`)}
        </option>
      ))}
    </select>
  );
}

interface Option {
  value: string;
  text: string;
}

/** Keeps a value of the address that the list does not have, such as a worker who is not loaded yet. */
const known = (value: string, options: readonly Option[]): readonly Option[] =>
  value === '' || options.some((one) => one.value === value) ? options : [...options, { value, text: value }];

function Choice({
  label,
  any,
  value,
  options,
  onChoose,
}: {
  label: string;
  any: string;
  value: string;
  options: readonly Option[];
  onChoose: (value: string) => void;
}) {
  return (
    <Labelled label={label}>
      {(id) => (
        <select
          id={id}
          className={`${styles.input} ${value ? styles.inUse : ''}`}
          value={value}
          onChange={(event) => onChoose(event.target.value)}
        >
          <option value="">{any}</option>
          {options.map((one) => (
            <option key={one.value} value={one.value}>
              {one.text}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}

function Toggle({
  on,
  onSwitch,
  children,
}: {
  on: boolean;
  onSwitch: (on: boolean) => void;
  children: ReactNode;
}) {
  return (
    <button
      type="button"
      className={`${styles.input} ${styles.toggle} ${on ? styles.inUse : ''}`}
      aria-pressed={on}
      onClick={() => onSwitch(!on)}
    >
      {children}
    </button>
  );
}

function Labelled({
  label,
  isShown = false,
  children,
}: {
  label: string;
  isShown?: boolean;
  children: (id: string) => ReactNode;
}) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={isShown ? '' : 'visually-hidden'}>
        {label}
      </label>
      {children(id)}
    </div>
  );
}
