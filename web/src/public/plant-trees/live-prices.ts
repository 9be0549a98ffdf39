import { minorPerMajor } from '@arboleda/contracts/money.ts';
import { BASE_CURRENCY, PACKAGE_TYPES, type PackageType } from '@arboleda/contracts/packages.ts';
import type { PackagePrices } from '../../api/package-prices.ts';
import type { Formats } from '../../i18n/formats.ts';
import { DEFAULT_CUSTOM_TREES, totalOf, type Total } from './selection.ts';

/** A package's amounts as texts; dots where they are not known yet. */
export function amountTexts(total: Total | undefined, formats: Formats) {
  if (!total) return { code: '', figure: '…', each: '…', saving: '…' };
  const [code = '', ...figure] = formats.money(total.amountMinor, total.currency).split('\u00a0');
  return {
    code,
    figure: figure.join('\u00a0'),
    each: formats.amount(total.unitAmountMinor, total.currency),
    saving: formats.money(total.savingMinor, total.currency),
  };
}

/** The name of a package's amount among the live values: "grove-figure". */
export const liveName = (packageType: PackageType, amount: keyof ReturnType<typeof amountTexts>): string =>
  `${packageType}-${amount}`;

/** Every amount of a checkout in which nothing was chosen yet. */
export function amountValues(prices: PackagePrices, formats: Formats): Record<string, string> {
  return Object.fromEntries(
    PACKAGE_TYPES.flatMap((packageType) => {
      const texts = amountTexts(totalOf({ packageType, customTrees: DEFAULT_CUSTOM_TREES }, prices), formats);
      return Object.entries(texts).map(([amount, text]) => [`${packageType}-${amount}`, text]);
    }),
  );
}

/** Central banks rest at weekends and over Easter; an older rate is shown with its day. */
const FRESH_RATE_DAYS = 4;

/** Which sentence tells which money the prices are in, and what stands in it. */
export function noteOf(prices: PackagePrices, formats: Formats) {
  const currency = formats.currencyName(prices.currency);
  if (!prices.expiresAt) return { sentence: 'unkept', values: { currency } } as const;
  const time = formats.localTime(prices.expiresAt);
  if (prices.currency === BASE_CURRENCY) return { sentence: 'base', values: { currency, time } } as const;
  const rateMinor = Math.round(prices.exchangeRate * minorPerMajor(prices.currency));
  const rate = formats.money(rateMinor, prices.currency);
  if (prices.ratesAsOf && (prices.ratesAgeDays ?? 0) > FRESH_RATE_DAYS) {
    const day = formats.calendarDay(prices.ratesAsOf);
    return { sentence: 'old', values: { currency, rate, time, day } } as const;
  }
  return { sentence: 'local', values: { currency, rate, time } } as const;
}
