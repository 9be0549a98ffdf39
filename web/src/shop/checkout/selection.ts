import { CUSTOM_DEFAULT_TREES, MAX_TREES, type PackageType } from '@arboleda/contracts/packages.ts';
import type { PackagePrices } from '../../api/package-prices.ts';
import { readCount } from '../../i18n/typed-numbers.ts';

/** Selected package, with the typed count for the custom one. */
export interface Selection {
  packageType: PackageType;
  customTrees: string;
}

export const DEFAULT_CUSTOM_TREES = String(CUSTOM_DEFAULT_TREES);

export type CountProblem = 'not-whole' | 'at-least-one' | 'at-most';

export function countProblem({ packageType, customTrees }: Selection): CountProblem | undefined {
  if (packageType !== 'custom') return undefined;
  const trees = readCount(customTrees);
  if (trees === undefined) return customTrees.trim() ? 'not-whole' : 'at-least-one';
  if (trees < 1) return 'at-least-one';
  return trees > MAX_TREES ? 'at-most' : undefined;
}

export interface Total {
  trees: number;
  amountMinor: number;
  savingMinor: number;
  currency: string;
  /** Present when the amount exceeds one card payment. */
  cardLimit?: CardLimit | undefined;
}

/** Upper bound of one card payment, as amount and as trees. */
export interface CardLimit {
  amountMinor: number;
  trees: number;
}

/** Selection with its total, which is undefined while the price is unknown. */
export interface PricedSelection {
  selection: Selection;
  total: Total | undefined;
  quote: string | undefined;
}

/** Total of a selection at the shown prices; an invalid count is priced as one tree. */
export function totalOf(selection: Selection, prices: PackagePrices): Total {
  const { currency, packages } = prices;
  const price = packages[selection.packageType];
  if (selection.packageType !== 'custom') {
    return {
      trees: price.trees,
      amountMinor: price.amount,
      savingMinor: price.savingAmount,
      currency,
    };
  }
  const trees = countProblem(selection) ? 1 : readCount(selection.customTrees)!;
  const unit = price.unitAmount;
  const cardLimit =
    unit * trees > prices.cardMaxAmount
      ? { amountMinor: prices.cardMaxAmount, trees: Math.floor(prices.cardMaxAmount / unit) }
      : undefined;
  return { trees, amountMinor: unit * trees, savingMinor: 0, currency, cardLimit };
}
