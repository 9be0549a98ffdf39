import type { Movement, Reading } from './movement.ts';

interface Total {
  count: number;
  /** Sum in minor units, positive. */
  amount: number;
}

/** A file as an admin sees it before the import. */
export interface FileFacts extends Omit<Reading, 'movements'> {
  /** All that the file names. */
  accounts: string[];
  currencies: string[];
  /** First and last day; neither in a file without movements. */
  from?: string | undefined;
  to?: string | undefined;
  credits: Total;
  debits: Total;
  sampleRows: Movement[];
}

const SAMPLE_ROWS = 5;

export function factsOf({ movements, ...reading }: Reading): FileFacts {
  const named = [reading.account, ...movements.map(({ account }) => account)];
  const days = movements.map(({ day }) => day).sort();
  return {
    ...reading,
    accounts: distinct(named),
    currencies: distinct(movements.map(({ currency }) => currency)),
    from: days[0],
    to: days.at(-1),
    credits: total(movements.filter(({ amountMinor }) => amountMinor > 0)),
    debits: total(movements.filter(({ amountMinor }) => amountMinor < 0)),
    sampleRows: movements.slice(0, SAMPLE_ROWS),
  };
}

const distinct = (values: readonly (string | undefined)[]): string[] => [
  ...new Set(values.filter((one) => one !== undefined)),
];

const total = (of: readonly Movement[]): Total => ({
  count: of.length,
  amount: Math.abs(of.reduce((sum, { amountMinor }) => sum + amountMinor, 0)),
});
