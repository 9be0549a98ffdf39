import type { Formats } from '../../i18n/format.ts';
import type { HistoryEntry } from './orders.ts';

type Value = NonNullable<HistoryEntry['changes']>[number]['from'];

/** Form field names that differ from the history's. */
const FORM_NAME: Record<string, string> = {
  amountMinor: 'amount',
  'customer.email': 'customerEmail',
  'customer.name': 'customerName',
};

export interface ToldChange {
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
  const tell = (field: string, value: Value, of: Value): string => {
    if (value === undefined) return '';
    if (field === 'amountMinor') return formats.money(Number(value), typeof of === 'string' ? of : currency);
    if (typeof value === 'object') return `${value.latitude.toFixed(6)}, ${value.longitude.toFixed(6)}`;
    return typeof value === 'number' ? formats.number(value) : value;
  };
  return (changes ?? []).map(({ field, from, to }) => ({
    field: FORM_NAME[field] ?? field,
    from: tell(field, from, currencies?.from),
    to: tell(field, to, currencies?.to),
  }));
}
