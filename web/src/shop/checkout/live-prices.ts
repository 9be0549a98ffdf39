import { minorPerMajor, pieceMinor } from '@arboleda/contracts/money.ts';
import { BASE_CURRENCY, PACKAGE_TYPES, type PackageType } from '@arboleda/contracts/packages.ts';
import type { PackagePrices } from '../../api/package-prices.ts';
import type { Formats } from '../../i18n/formats.ts';
import { DEFAULT_CUSTOM_TREES, totalOf, type Total } from './selection.ts';

/** Formatted amounts of a package; `unknown` stands for each that is missing. */
export function amountTexts(total: Total | undefined, formats: Formats, unknown = '…') {
  if (!total) return { code: '', figure: unknown, each: unknown, saving: unknown };
  const [code = '', ...figure] = formats.money(total.amountMinor, total.currency).split('\u00a0');
  return {
    code,
    figure: figure.join('\u00a0'),
    each: formats.money(pieceMinor(total.amountMinor, total.trees, total.currency), total.currency),
    saving: formats.money(total.savingMinor, total.currency),
  };
}

/** Name of a live value: "grove-figure". */
export const liveName = (packageType: PackageType, amount: keyof ReturnType<typeof amountTexts>): string =>
  `${packageType}-${amount}`;

export function amountValues(prices: PackagePrices, formats: Formats): Record<string, string> {
  return Object.fromEntries(
    PACKAGE_TYPES.flatMap((packageType) => {
      const texts = amountTexts(totalOf({ packageType, customTrees: DEFAULT_CUSTOM_TREES }, prices), formats);
      return Object.entries(texts).map(([amount, text]) => [`${packageType}-${amount}`, text]);
    }),
  );
}

/** i18n key and values of the note about the currency. */
export function noteOf(prices: PackagePrices, formats: Formats) {
  const currency = formats.currencyName(prices.currency);
  if (!prices.expiresAt) return { sentence: 'unkept', values: { currency } } as const;
  const time = formats.untilTime(prices.expiresAt);
  const { wantedCurrency } = prices;
  if (wantedCurrency && wantedCurrency !== prices.currency) {
    const wanted = formats.currencyName(wantedCurrency);
    return { sentence: 'outdated', values: { currency, wanted, time } } as const;
  }
  if (prices.currency === BASE_CURRENCY) return { sentence: 'base', values: { currency, time } } as const;
  const rateMinor = Math.round(prices.exchangeRate * minorPerMajor(prices.currency));
  const rate = formats.money(rateMinor, prices.currency);
  return { sentence: 'local', values: { currency, rate, time } } as const;
}
