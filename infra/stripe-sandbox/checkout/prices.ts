import type { Call } from '../http/endpoint.ts';
import { noSuch, parameterMissing } from '../http/errors.ts';
import type { FormHash, FormValue } from '../http/form.ts';
import { hash, ignored, integer, mergeMetadata, readParams, required, text } from '../http/params.ts';
import { newId } from '../ids.ts';
import type { LineItem, Price, Product } from '../objects.ts';
import type { Transaction } from '../storage/store.ts';
import { knownCurrency } from '../payments/currencies.ts';

/** Photo packages of a demo account. Fixed ids, so that configuration can name them. */
const DEMO = [
  { id: 'price_first_year', name: 'First year of photos', unitAmount: 1500 },
  { id: 'price_three_year', name: 'Three years of photos', unitAmount: 2500 },
  { id: 'price_lifetime', name: 'A lifetime of photos', unitAmount: 3500 },
];

/** Adds missing products and prices of the demo account. */
export function stockDemoPrices(tx: Transaction, nowS: number): void {
  for (const { id, name, unitAmount } of DEMO) {
    if (tx.get('prices', id)) continue;
    const product = tx.put('products', newProduct(id.replace('price_', 'prod_'), name, null, nowS));
    tx.put('prices', newPrice(id, product.id, unitAmount, 'usd', nowS));
  }
}

const newProduct = (id: string, name: string, description: string | null, created: number): Product => ({
  id,
  object: 'product',
  active: true,
  attributes: [],
  created,
  default_price: null,
  description,
  images: [],
  livemode: false,
  marketing_features: [],
  metadata: {},
  name,
  package_dimensions: null,
  shippable: null,
  statement_descriptor: null,
  tax_code: null,
  type: 'service',
  unit_label: null,
  updated: created,
  url: null,
});

const newPrice = (
  id: string,
  product: string,
  unit_amount: number,
  currency: string,
  created: number,
): Price => ({
  id,
  object: 'price',
  active: true,
  billing_scheme: 'per_unit',
  created,
  currency,
  custom_unit_amount: null,
  livemode: false,
  lookup_key: null,
  metadata: {},
  nickname: null,
  product,
  recurring: null,
  tax_behavior: 'unspecified',
  tiers_mode: null,
  transform_quantity: null,
  type: 'one_time',
  unit_amount,
  unit_amount_decimal: String(unit_amount),
});

type Making = Pick<Call, 'tx' | 'nowS'>;

/** Reads `line_items[i]`: a price by id or data, and a quantity. */
export function lineItem(making: Making, item: FormValue, index: number): LineItem {
  const given = readParams(item as FormHash, {
    adjustable_quantity: ignored,
    price: text,
    price_data: hash,
    quantity: integer,
    metadata: hash,
  });
  const price = priceOf(making, given, index);
  const quantity = given.quantity ?? 1;
  const total = price.unit_amount * quantity;
  return {
    id: newId('li_1'),
    object: 'item',
    adjustable_quantity: null,
    amount_discount: 0,
    amount_subtotal: total,
    amount_tax: 0,
    amount_total: total,
    currency: price.currency,
    description: making.tx.get('products', price.product)?.name ?? '',
    metadata: mergeMetadata({}, given.metadata),
    price,
    quantity,
  };
}

function priceOf(
  { tx, nowS }: Making,
  given: { price?: string | undefined; price_data?: FormHash | undefined },
  index: number,
): Price {
  const param = `line_items[${index}]`;
  if (given.price) {
    const price = tx.get('prices', given.price);
    if (!price) throw noSuch('price', given.price, `${param}[price]`, 400);
    return price;
  }
  if (!given.price_data) throw parameterMissing(`${param}[price]`);
  const data = readParams(given.price_data, {
    currency: required(text),
    product: text,
    product_data: hash,
    tax_behavior: ignored,
    unit_amount: required(integer),
  });
  const { name, description } = readParams(data.product_data ?? {}, {
    description: text,
    images: ignored,
    metadata: ignored,
    name: text,
  });
  if (!data.product && !name) throw parameterMissing(`${param}[price_data][product_data][name]`);
  const product =
    data.product ??
    tx.put('products', newProduct(newId('prod_', 14), name ?? '', description ?? null, nowS)).id;
  if (!tx.get('products', product)) throw noSuch('product', product, `${param}[price_data][product]`, 400);
  return tx.put(
    'prices',
    newPrice(newId('price_1'), product, data.unit_amount, knownCurrency(data.currency), nowS),
  );
}
