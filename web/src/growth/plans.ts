import {
  BASE_CURRENCY,
  PHOTO_PACKAGE_TYPES,
  PHOTO_PACKAGES,
  type PhotoPackageType,
} from '@arboleda/contracts/packages.ts';
import type { Config } from '../api/config.ts';

/** A photo package as it is offered for an order. */
export interface Plan {
  type: PhotoPackageType;
  priceId: string;
  /** Minor units; absent while the payment provider does not say what it takes. */
  price: { amount: number; unitAmount: number; currency: string } | undefined;
  /** Months from the later of planting and purchase. */
  months: readonly number[];
  /** Share of the first year's price for each update that is saved, 0 to 1. */
  saving: number;
  popular: boolean;
}

/** Marked in the picker: product spec section 9. */
const POPULAR: PhotoPackageType = 'three_year';

type Offered = Config['photoPackages'];

/** What is offered, in the order of the product spec. */
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

/** Against updates of the first year, by what is charged here; by the spec's own prices while that is not known. */
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
