import { localise } from './money.ts';

export const BASE_CURRENCY = 'USD';
/** Five dollars per tree: product spec section 9. */
export const BASE_PRICE_CENTS = 500;

export const PACKAGE_TYPES = ['individual', 'grove', 'patch', 'custom'] as const;
export type PackageType = (typeof PACKAGE_TYPES)[number];

/** Fixed packages: trees and price in US cents. A custom count costs the base price per tree. */
export const FIXED_PACKAGES = {
  individual: { trees: 1, priceCents: 500 },
  grove: { trees: 5, priceCents: 2000 },
  patch: { trees: 20, priceCents: 7000 },
} as const satisfies Partial<Record<PackageType, { trees: number; priceCents: number }>>;

/**
 * Number that the page fills in: the largest that costs less than every package of several trees, so that no package
 * gives more for the same money.
 */
export const CUSTOM_DEFAULT_TREES =
  Math.ceil(
    Math.min(
      ...Object.values(FIXED_PACKAGES)
        .filter(({ trees }) => trees > 1)
        .map(({ priceCents }) => priceCents),
    ) / BASE_PRICE_CENTS,
  ) - 1;
/** Larger orders are arranged in person; the bound also catches mistyped numbers. */
export const MAX_TREES = 10_000;

export interface PackagePrice {
  trees: number;
  /** Amount charged, minor units of the currency. */
  amountMinor: number;
  unitAmountMinor: number;
  /** Saving compared with the same trees bought singly. */
  savingMinor: number;
}

/**
 * Computes the price of trees. `trees` must equal the package's count for a fixed package.
 * @returns undefined when package and count do not match
 */
export function priceOf(
  packageType: PackageType,
  trees: number,
  rate: number,
  currency: string,
): PackagePrice | undefined {
  if (!Number.isInteger(trees) || trees < 1 || trees > MAX_TREES) return undefined;
  const singleMinor = localise(BASE_PRICE_CENTS, rate, currency);
  if (packageType === 'custom') {
    return { trees, amountMinor: singleMinor * trees, unitAmountMinor: singleMinor, savingMinor: 0 };
  }
  const fixed = FIXED_PACKAGES[packageType];
  if (fixed.trees !== trees) return undefined;
  const amountMinor = localise(fixed.priceCents, rate, currency);
  return {
    trees,
    amountMinor,
    unitAmountMinor: Math.round(amountMinor / trees),
    savingMinor: Math.max(0, singleMinor * trees - amountMinor),
  };
}

export type FixedPackage = keyof typeof FIXED_PACKAGES;

/** The package that gives at least as many trees as a custom count for no more money; undefined where none does. */
export function betterPackage(
  trees: number,
  rate: number,
  currency: string,
): (PackagePrice & { packageType: FixedPackage; isCheaper: boolean }) | undefined {
  const own = priceOf('custom', trees, rate, currency);
  if (!own) return undefined;
  return (Object.keys(FIXED_PACKAGES) as FixedPackage[])
    .map((packageType) => ({
      packageType,
      ...priceOf(packageType, FIXED_PACKAGES[packageType].trees, rate, currency)!,
    }))
    .map((one) => ({ ...one, isCheaper: one.amountMinor < own.amountMinor }))
    .filter((one) => one.trees > trees || (one.trees === trees && one.isCheaper))
    .filter(({ amountMinor }) => amountMinor <= own.amountMinor)
    .sort((a, b) => b.trees - a.trees)[0];
}

export const PHOTO_PACKAGE_TYPES = ['first_year', 'three_year', 'lifetime'] as const;
export type PhotoPackageType = (typeof PHOTO_PACKAGE_TYPES)[number];

/**
 * Growth updates for an existing order: product spec section 9. `months` count from the later of planting and purchase.
 */
export const PHOTO_PACKAGES = {
  first_year: { priceCents: 1500, months: [3, 6, 12] },
  three_year: { priceCents: 2500, months: [0, 6, 12, 18, 24, 30, 36] },
  lifetime: { priceCents: 3500, months: [6, 12, 18, 24, 30, 36, 42, 48, 54, 60] },
} as const satisfies Record<PhotoPackageType, { priceCents: number; months: readonly number[] }>;
