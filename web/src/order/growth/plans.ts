import {
  BASE_CURRENCY,
  PHOTO_PACKAGE_TYPES,
  PHOTO_PACKAGES,
  type PhotoPackageType,
} from '@arboleda/contracts/packages.ts';
import type { Config } from '../../api/config.ts';

export interface Plan {
  type: PhotoPackageType;
  priceId: string;
  /** Minor units; absent while the payment provider does not answer. */
  price: { amount: number; unitAmount: number; currency: string } | undefined;
  /** Months from the later of planting and purchase. */
  months: readonly number[];
  /** Saved share of the first-year price per update, 0 to 1. */
  saving: number;
  popular: boolean;
}

/** Highlighted in the picker: product spec section 9. */
const POPULAR: PhotoPackageType = 'three_year';

type Offered = Config['photoPackages'];

export function plansOf(offered: Offered): Plan[] {
  return PHOTO_PACKAGE_TYPES.flatMap((type) => {
    const found = offered.find(({ photoPackageType }) => photoPackageType === type);
    if (!found) return [];
    const { months } = PHOTO_PACKAGES[type];
    const { priceId, amount, currency } = found;
    return {
      type,
      priceId,
      months,
      price:
        amount !== undefined && currency
          ? { amount, unitAmount: Math.round(amount / months.length), currency }
          : undefined,
      saving: savingOf(type, offered),
      popular: type === POPULAR,
    };
  });
}

/** Saving compared with first-year updates, by charged prices, or by the spec's while those are unknown. */
function savingOf(type: PhotoPackageType, offered: Offered): number {
  const one = unitOf(type, offered);
  const full = unitOf('first_year', offered);
  const known = one && full && one.currency === full.currency;
  const [price, whole] = known ? [one.amount, full.amount] : [specUnit(type), specUnit('first_year')];
  return Math.max(0, Math.round((1 - price / whole) * 100) / 100);
}

const specUnit = (type: PhotoPackageType): number =>
  PHOTO_PACKAGES[type].priceCents / PHOTO_PACKAGES[type].months.length;

function unitOf(type: PhotoPackageType, offered: Offered) {
  const found = offered.find(({ photoPackageType }) => photoPackageType === type);
  if (found?.amount === undefined) return undefined;
  return {
    amount: found.amount / PHOTO_PACKAGES[type].months.length,
    currency: found.currency ?? BASE_CURRENCY,
  };
}
