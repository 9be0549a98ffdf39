import { detailsOf, type Purchase, type PurchaseDetails } from '@arboleda/contracts/purchase.ts';

/** The columns of a purchase in `payments` and `transfers`. */
export const PURCHASE_COLUMNS = `id, order_id, order_token, package_type, trees, amount_minor, currency, quote, customer, language,
  locale, gift, details`;

export interface PurchaseRow {
  id: string;
  order_id: string;
  order_token: string;
  package_type: Purchase['packageType'];
  trees: number;
  amount_minor: string;
  currency: Purchase['currency'];
  quote: Purchase['quote'];
  customer: Purchase['customer'];
  language: Purchase['language'];
  locale: string | null;
  gift: Purchase['gift'] | null;
  details: PurchaseDetails | null;
}

export const purchaseOfRow = (row: PurchaseRow): Purchase => ({
  ...row.details,
  paymentId: row.id,
  orderId: row.order_id,
  orderToken: row.order_token,
  packageType: row.package_type,
  trees: row.trees,
  amountMinor: Number(row.amount_minor),
  currency: row.currency,
  quote: row.quote,
  customer: row.customer,
  language: row.language,
  locale: row.locale ?? undefined,
  ...(row.gift && { gift: row.gift }),
});

/** In the order of PURCHASE_COLUMNS. */
export const purchaseValues = (purchase: Purchase): unknown[] => [
  purchase.paymentId,
  purchase.orderId,
  purchase.orderToken,
  purchase.packageType,
  purchase.trees,
  purchase.amountMinor,
  purchase.currency,
  json(purchase.quote),
  json(purchase.customer),
  purchase.language,
  purchase.locale ?? null,
  json(purchase.gift),
  json(detailsOf(purchase)),
];

const json = (value: object | undefined): string | null => (value ? JSON.stringify(value) : null);
