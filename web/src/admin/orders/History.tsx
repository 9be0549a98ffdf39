import { useTranslation } from 'react-i18next';
import { Badge } from '../../design/components/Badge.tsx';
import { Icon } from '../../design/components/Icon.tsx';
import { arrowRight } from '../../design/components/icons.ts';
import { type Formats, useFormats } from '../../i18n/format.ts';
import { Changes } from './Changes.tsx';
import styles from './History.module.css';
import type { HistoryEntry } from './orders.ts';

type Value = NonNullable<HistoryEntry['changes']>[number]['from'];

/** Form field names that differ from the history's. */
const FORM_NAME: Record<string, string> = {
  amountMinor: 'amount',
  'customer.email': 'customerEmail',
  'customer.name': 'customerName',
};

interface ToldChange {
  field: string;
  from: string;
  to: string;
}

/** Field values before and after an edit, in words. Amounts use the currency of their time. */
export function describeChanges(
  changes: HistoryEntry['changes'],
  currency: string,
  formats: Formats,
): ToldChange[] {
  const currencies = changes?.find(({ field }) => field === 'currency');
  const format = (field: string, value: Value, of: Value): string => {
    if (value === undefined) return '';
    if (field === 'amountMinor') return formats.money(Number(value), typeof of === 'string' ? of : currency);
    if (typeof value === 'object') return `${value.latitude.toFixed(6)}, ${value.longitude.toFixed(6)}`;
    return typeof value === 'number' ? formats.number(value) : value;
  };
  return (changes ?? []).map(({ field, from, to }) => ({
    field: FORM_NAME[field] ?? field,
    from: format(field, from, currencies?.from),
    to: format(field, to, currencies?.to),
  }));
}

/** Complete history of an order in the given order; entries are never rewritten. */
export function History({ entries, currency }: { entries: readonly HistoryEntry[]; currency: string }) {
  const { t } = useTranslation('admin');
  const formats = useFormats();
  return (
    <ol className={styles.history} aria-label={t('details.tab.history')}>
      {entries.map((entry, at) => (
        <li key={at} className={styles.entry}>
          <time dateTime={entry.at} className="quiet tabular">
            {formats.moment(entry.at)}
          </time>
          <div>
            <What entry={entry} />
            <EntryDetails entry={entry} currency={currency} />
            <Who entry={entry} />
            {entry.reason && <p>{entry.reason}</p>}
            {entry.note && <p>{entry.note}</p>}
          </div>
        </li>
      ))}
    </ol>
  );
}

function What({ entry }: { entry: HistoryEntry }) {
  const { t } = useTranslation('admin');
  const { t: common } = useTranslation();
  if (!entry.from || !entry.to)
    return <p className={styles.what}>{t(`history.${entry.type}`, { defaultValue: entry.type })}</p>;
  return (
    <p className={styles.change}>
      <Badge of={entry.from}>{common(`status.${entry.from}`)}</Badge>
      <Icon of={arrowRight} size="small" />
      <span className="visually-hidden">{t('history.to')}</span>
      <Badge of={entry.to}>{common(`status.${entry.to}`)}</Badge>
      {entry.type === 'return_suspected' && <span>{t('history.return_suspected')}</span>}
    </p>
  );
}

function EntryDetails({ entry, currency }: { entry: HistoryEntry; currency: string }) {
  const { t } = useTranslation('admin');
  const formats = useFormats();
  return (
    <>
      {entry.changes && <Changes changes={describeChanges(entry.changes, currency, formats)} />}
      {entry.amount !== undefined && (
        <p className="tabular">{formats.money(entry.amount, entry.currency ?? currency)}</p>
      )}
      {entry.toWorker && (
        <p>
          {entry.fromWorker && `${entry.fromWorker} → `}
          {entry.toWorker}
        </p>
      )}
      {entry.number !== undefined && entry.of !== undefined && (
        <p>{t('growth.visit', { number: entry.number, of: entry.of })}</p>
      )}
    </>
  );
}

function Who({ entry }: { entry: HistoryEntry }) {
  const { t } = useTranslation('admin');
  const name = entry.by.name;
  return <p className="quiet">{name ? t(`by.${entry.by.role}`, { name }) : t('by.system')}</p>;
}
