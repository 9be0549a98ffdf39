import { CURRENCIES, type Currency } from '@arboleda/contracts/countries.ts';
import { BASE_CURRENCY } from '@arboleda/contracts/packages.ts';

/** Units of each currency per US dollar. */
export interface RateTable {
  /** ISO date. */
  asOf: string;
  source: string;
  rates: Record<Currency, number>;
  /** Dates of currencies whose rate is older, as no later one was offered or accepted. */
  older?: Partial<Record<Currency, string>>;
}

/** Rates as offered by a provider: unchecked and possibly incomplete. */
export interface OfferedRates {
  asOf: string;
  source: string;
  rates: Partial<Record<Currency, number>>;
}

/** @throws when the rates cannot be fetched */
export interface RateProvider {
  fetch(): Promise<OfferedRates>;
}

/** A larger move within a day is more likely an error of the provider than of the market. */
const MAX_MOVE = 0.2;
/** Additional move per day since the last known rate, up to MAX_MOVE_EVER. */
const MORE_MOVE_PER_DAY = 0.001;
const MAX_MOVE_EVER = 0.5;

/** Maximum age of rates for prices: banks publish none at weekends. Older ones give prices in dollars, and an alert. */
export const OFFERED_FOR_DAYS = 3;

const DAY_MS = 86_400_000;

/** Known before a provider has answered. Rounded by hand; replace the whole table, date included. */
export const COMMITTED_RATES: RateTable = {
  asOf: '2025-06-10',
  source: 'Arboleda reference table (mid-market, rounded)',
  rates: {
    USD: 1,
    EUR: 0.875,
    GBP: 0.74,
    CAD: 1.368,
    AUD: 1.533,
    COP: 4115,
    MXN: 19.05,
    BRL: 5.57,
    ARS: 1185,
    CLP: 936,
    PEN: 3.65,
    UYU: 41.2,
    PYG: 7985,
    BOB: 6.91,
    JPY: 144.8,
    KRW: 1362,
  },
};

/** The committed rates with the day on which a trial begins: it has no provider, and no money is real. */
export const trialRates = (now: Date): RateTable => ({
  ...COMMITTED_RATES,
  asOf: now.toISOString().slice(0, 10),
});

export interface RefusedRate {
  currency: Currency;
  known: number;
  offered: number;
}

/**
 * The result of an offer: the new table, absent when the offer brings nothing new, and the rejected
 * currencies.
 */
export interface Acceptance {
  table?: RateTable;
  refused: RefusedRate[];
}

/** Whole days since the table's day. */
export const ageDays = (asOf: string, now: Date): number =>
  Math.max(0, Math.floor((now.getTime() - Date.parse(asOf)) / DAY_MS));

export const dayOf = ({ asOf, older = {} }: RateTable, currency: Currency): string => older[currency] ?? asOf;

/** Age of a currency's rate. The dollar is never old. */
export const rateAgeDays = (table: RateTable, currency: Currency, now: Date): number =>
  currency === BASE_CURRENCY ? 0 : ageDays(dayOf(table, currency), now);

/** Currencies whose rate is older than so many days. */
export const outdated = (table: RateTable, days: number, now: Date): Currency[] =>
  CURRENCIES.filter((currency) => rateAgeDays(table, currency, now) > days);

/** The requested currency, or dollars when its rate is too old. */
export const offeredCurrency = (table: RateTable, wanted: Currency, days: number, now: Date): Currency =>
  rateAgeDays(table, wanted, now) > days ? BASE_CURRENCY : wanted;

/**
 * Accepts offered rates that are plausible given the known ones; a currency that is missing or moved too far
 * keeps its known rate. The dollar is always one.
 * @throws Error when the offer is dated in the future, as it would outlast all later ones
 */
export function acceptRates(known: RateTable, offer: OfferedRates, now: Date): Acceptance {
  if (Date.parse(offer.asOf) > now.getTime() + DAY_MS)
    throw new Error(`rates of ${offer.asOf} are not due yet`);
  if (offer.asOf < known.asOf) return { refused: [] };
  const rates = { ...known.rates };
  const older: Partial<Record<Currency, string>> = {};
  const refused: RefusedRate[] = [];
  for (const currency of CURRENCIES) {
    if (currency === BASE_CURRENCY && offer.rates[currency] === undefined) continue;
    const [offered, day] = [offer.rates[currency], dayOf(known, currency)];
    const isTaken =
      offered !== undefined &&
      isBelievable(currency, known.rates[currency], offered, movable(day, offer.asOf));
    if (isTaken) rates[currency] = offered;
    else if (day < offer.asOf) older[currency] = day;
    if (offered !== undefined && !isTaken) refused.push({ currency, known: known.rates[currency], offered });
  }
  const table: RateTable = { asOf: offer.asOf, source: offer.source, rates, older };
  const isNews =
    offer.asOf > known.asOf ||
    CURRENCIES.some(
      (currency) =>
        rates[currency] !== known.rates[currency] || dayOf(table, currency) !== dayOf(known, currency),
    );
  return { ...(isNews && { table }), refused };
}

const movable = (fromDay: string, toDay: string): number =>
  Math.min(MAX_MOVE_EVER, MAX_MOVE + MORE_MOVE_PER_DAY * Math.max(0, ageDays(fromDay, new Date(toDay)) - 1));

function isBelievable(currency: Currency, known: number, offered: number, maxMove: number): boolean {
  if (currency === BASE_CURRENCY) return offered === 1;
  return Number.isFinite(offered) && offered > 0 && Math.abs(offered / known - 1) <= maxMove;
}

/** The table for prices: the last accepted one, unless the committed one is newer. */
export const currentTable = (kept: RateTable | undefined): RateTable =>
  kept && kept.asOf >= COMMITTED_RATES.asOf
    ? {
        ...kept,
        rates: { ...COMMITTED_RATES.rates, ...kept.rates },
        older: { ...unknownTo(kept), ...kept.older },
      }
    : COMMITTED_RATES;

const unknownTo = ({ rates }: RateTable): Partial<Record<Currency, string>> =>
  Object.fromEntries(
    CURRENCIES.filter((currency) => !(currency in rates)).map((currency) => [currency, COMMITTED_RATES.asOf]),
  );
