import type { Currency } from '@arboleda/contracts/countries.ts';
import { localise } from '@arboleda/contracts/money.ts';
import {
  FIXED_PACKAGES,
  PACKAGE_TYPES,
  PHOTO_PACKAGE_TYPES,
  PHOTO_PACKAGES,
  type PhotoPackageType,
  priceOf,
} from '@arboleda/contracts/packages.ts';

/** Highlighted in the picker: product spec section 9. */
const POPULAR: PhotoPackageType = 'three_year';
/** Undiscounted price of an update: five dollars, as in the first year. */
const FULL_UPDATE_CENTS = PHOTO_PACKAGES.first_year.priceCents / PHOTO_PACKAGES.first_year.months.length;

/** Every package at a rate; `custom` is priced as one tree. Amounts in minor units. */
export function packagePrices(rate: number, currency: Currency) {
  return PACKAGE_TYPES.map((packageType) => {
    const trees = packageType === 'custom' ? 1 : FIXED_PACKAGES[packageType].trees;
    const price = priceOf(packageType, trees, rate, currency)!;
    return {
      packageType,
      trees,
      amount: price.amountMinor,
      unitAmount: price.unitAmountMinor,
      savingAmount: price.savingMinor,
    };
  });
}

/** Every photo package at a rate. Savings are computed in dollars, so they are the same in every currency. */
export function photoPackagePrices(rate: number, currency: Currency) {
  return PHOTO_PACKAGE_TYPES.map((photoPackageType) => {
    const { priceCents, months } = PHOTO_PACKAGES[photoPackageType];
    const updates = months.length;
    const savingPercent = Math.round((1 - priceCents / updates / FULL_UPDATE_CENTS) * 100);
    return {
      photoPackageType,
      amount: localise(priceCents, rate, currency),
      unitAmount: localise(priceCents / updates, rate, currency),
      ...(savingPercent > 0 && { savingPercent }),
      ...(photoPackageType === POPULAR && { popular: true as const }),
      updates,
      months: [...months],
    };
  });
}
