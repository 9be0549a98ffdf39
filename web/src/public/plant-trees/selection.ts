import { CUSTOM_DEFAULT_TREES, MAX_TREES, type PackageType } from '@arboleda/contracts/packages.ts';
import type { PackagePrices } from '../../api/package-prices.ts';
import { readCount } from '../../i18n/typed-numbers.ts';

/** What is in the basket: a package, and the count as it was typed for the custom one. */
export interface Selection {
  packageType: PackageType;
  customTrees: string;
}

export const DEFAULT_CUSTOM_TREES = String(CUSTOM_DEFAULT_TREES);

export type CountProblem = 'at-least-one' | 'at-most';

/** Product spec section 5: an integer, 1 when it cannot be read as one. */
export const parseTrees = (typed: string): number => readCount(typed) ?? 1;

export function countProblem({ packageType, customTrees }: Selection): CountProblem | undefined {
  if (packageType !== 'custom') return undefined;
  const trees = parseTrees(customTrees);
  if (trees < 1) return 'at-least-one';
  return trees > MAX_TREES ? 'at-most' : undefined;
}

export interface Total {
  trees: number;
  amountMinor: number;
  unitAmountMinor: number;
  savingMinor: number;
  currency: string;
  /** Present when a card cannot pay all of this at once. */
  cardLimit?: CardLimit | undefined;
}

/** The most that one card payment can take: the amount, and how many trees that is. */
export interface CardLimit {
  amountMinor: number;
  trees: number;
}

/** What is to be paid for; the total is missing while its price is not known. */
export interface PricedSelection {
  selection: Selection;
  total: Total | undefined;
  /** The server's signature under these prices. */
  quote: string | undefined;
}

/** What a selection costs at the prices shown; a count that cannot be ordered is priced as one tree. */
export function totalOf(selection: Selection, prices: PackagePrices): Total {
  const { currency, packages } = prices;
  const price = packages[selection.packageType];
  if (selection.packageType !== 'custom') {
    return {
      trees: price.trees,
      amountMinor: price.amount,
      unitAmountMinor: price.unitAmount,
      savingMinor: price.savingAmount,
      currency,
    };
  }
  const trees = countProblem(selection) ? 1 : parseTrees(selection.customTrees);
  const unit = price.unitAmount;
  const cardLimit =
    unit * trees > prices.cardMaxAmount
      ? { amountMinor: prices.cardMaxAmount, trees: Math.floor(prices.cardMaxAmount / unit) }
      : undefined;
  return { trees, amountMinor: unit * trees, unitAmountMinor: unit, savingMinor: 0, currency, cardLimit };
}
