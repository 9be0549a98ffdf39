import { CURRENCIES, type Currency } from '@arboleda/contracts/countries.ts';
import { BASE_CURRENCY } from '@arboleda/contracts/packages.ts';

/** Units of each currency for one US dollar, on a day, from somewhere. */
export interface RateTable {
  /** ISO date. */
  asOf: string;
  source: string;
  rates: Record<Currency, number>;
  /** Of currencies whose rate is of an earlier day, as no later one came or was believed. */
  older?: Partial<Record<Currency, string>>;
}

/** Rates as somebody offers them: not yet believed, and perhaps not all. */
export interface OfferedRates {
  asOf: string;
  source: string;
  rates: Partial<Record<Currency, number>>;
}

/** Where rates come from. @throws when they cannot be had. */
export interface RateProvider {
  fetch(): Promise<OfferedRates>;
}

/** A larger move from one day to the next is more likely a mistake of the provider than of the market. */
export const MAX_MOVE = 0.2;
/** A market that was not looked at for long may have moved further: this much more a day, up to MAX_MOVE_EVER. */
const MORE_MOVE_PER_DAY = 0.001;
const MAX_MOVE_EVER = 0.5;

/** Banks publish no rates over long weekends; a rate older than this is a provider that stands still. */
export const STALE_AFTER_DAYS = 7;
/** Where money is real nobody is asked for an amount made of an older rate. */
export const OFFERED_FOR_DAYS = 30;

const DAY_MS = 86_400_000;

/**
 * Prices are in these as long as no provider has answered. Rounded by hand to what a price needs; replace the whole
 * table, date included.
 */
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

export interface RefusedRate {
  currency: Currency;
  known: number;
  offered: number;
}

/** What became of an offer: the table from now on, absent when the offer is no news, and what of it is not believed. */
export interface Acceptance {
  table?: RateTable;
  refused: RefusedRate[];
}

/** Whole days since the day a table is of; 0 when it is of today. */
export const ageDays = (asOf: string, now: Date): number =>
  Math.max(0, Math.floor((now.getTime() - Date.parse(asOf)) / DAY_MS));

/** The day the rate of a currency is of. */
export const dayOf = ({ asOf, older = {} }: RateTable, currency: Currency): string => older[currency] ?? asOf;

/** How old the rate of a currency is. A dollar is always a dollar. */
export const rateAgeDays = (table: RateTable, currency: Currency, now: Date): number =>
  currency === BASE_CURRENCY ? 0 : ageDays(dayOf(table, currency), now);

/** Currencies whose rate is older than so many days. */
export const outdated = (table: RateTable, days: number, now: Date): Currency[] =>
  CURRENCIES.filter((currency) => rateAgeDays(table, currency, now) > days);

/** The currency that somebody wants to pay in, or dollars when its rate is too old for that. */
export const offeredCurrency = (table: RateTable, wanted: Currency, days: number, now: Date): Currency =>
  rateAgeDays(table, wanted, now) > days ? BASE_CURRENCY : wanted;

/**
 * Takes over offered rates that stay within what a market can do since the known ones; a currency that is missing or
 * moved too far keeps its known rate. The dollar is always one.
 * @throws Error when the offer is of a day that has not come anywhere: it would outlast all that come after it.
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

/** What prices are made of: the table taken over last, unless the committed one is of a later day. */
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
