import type { Organisation } from '@arboleda/chassis/organisation.ts';
import type { Currency } from '@arboleda/contracts/countries.ts';
import { formatMoney, pieceMinor } from '@arboleda/contracts/money.ts';
import { shortId } from '@arboleda/contracts/order.ts';
import { PHOTO_PACKAGES } from '@arboleda/contracts/packages.ts';
import { BANKS } from '@arboleda/contracts/payment-method.ts';
import type { Language } from '@arboleda/contracts/roles.ts';
import type { GrowthPurchase, MoneyBack, Order } from '../order/order.ts';
import { type ReceiptWords, receiptWords } from './words.ts';

export type Fact = readonly [label: string, value: string];

/** The content of a receipt in display order; page.ts renders it. */
export interface Receipt {
  language: Language;
  title: string;
  organisation: Organisation;
  /** Number, date, order. */
  head: readonly Fact[];
  /** Payer and method. */
  payment: readonly Fact[];
  columns: { item: string; quantity: string; unit: string; amount: string };
  items: readonly { text: string; note?: string; quantity: string; unit: string; amount: string }[];
  totals: readonly Fact[];
  refunds: { title: string; rows: readonly Fact[]; left: readonly Fact[] } | undefined;
  closing: string;
  /** Time of the payment, so every copy of the receipt is equal. */
  issuedAt: Date;
}

interface Item {
  text: string;
  note?: string;
  quantity: number;
  amountMinor: number;
  currency: string;
}

export function receiptOf(order: Order, language: Language, organisation: Organisation): Receipt {
  const words = receiptWords(language);
  const money = (amountMinor: number, currency: string) => formatMoney(amountMinor, currency, language);
  const paidAt = order.manualPayment?.decidedAt ?? order.createdAt;
  const items = itemsOf(order, words);
  const totals = totalsOf(items);
  return {
    language,
    title: words.title,
    organisation,
    head: [
      [words.number, order.receiptNumber!],
      [words.date, words.day(paidAt)],
      [words.order, shortId(order.id)],
    ],
    payment: [
      [words.receivedFrom, order.customer.name],
      ['', order.customer.email],
      [words.method, methodOf(order, words)],
      ...(order.manualPayment?.referenceNumber
        ? [[words.reference, order.manualPayment.referenceNumber] as const]
        : []),
      ...(order.transactionId ? [[words.transaction, order.transactionId] as const] : []),
    ],
    columns: words.columns,
    items: items.map(({ text, note, quantity, amountMinor, currency }) => ({
      text,
      ...(note && { note }),
      quantity: words.count(quantity),
      unit: unitOf(amountMinor, quantity, currency, money),
      amount: money(amountMinor, currency),
    })),
    totals: [...totals].map(([currency, sumMinor]) => [words.total, money(sumMinor, currency)]),
    refunds: refundsOf(order, totals, words, money),
    closing: words.closing,
    issuedAt: new Date(paidAt),
  };
}

function unitOf(
  amountMinor: number,
  quantity: number,
  currency: string,
  money: (amountMinor: number, currency: string) => string,
): string {
  const unitMinor = pieceMinor(amountMinor, quantity, currency);
  return (unitMinor * quantity === amountMinor ? '' : '~ ') + money(unitMinor, currency);
}

function itemsOf(order: Order, words: ReceiptWords): Item[] {
  const trees: Item = {
    text: words.trees(order.trees, order.packageType),
    note: words.treesNote,
    quantity: order.trees,
    amountMinor: order.amountMinor,
    currency: order.currency,
  };
  const growth = order.growth.map((purchase) => ({
    text: growthText(purchase, words),
    note: words.boughtOn(words.day(purchase.purchasedAt)),
    quantity: 1,
    amountMinor: purchase.amountMinor,
    currency: purchase.currency,
  }));
  return [trees, ...growth];
}

const growthText = ({ photoPackageType }: GrowthPurchase, words: ReceiptWords): string =>
  words.growth(photoPackageType, PHOTO_PACKAGES[photoPackageType].months.length);

/** Totals by currency, the order's currency first. */
function totalsOf(items: readonly Item[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { currency, amountMinor } of items) sums.set(currency, (sums.get(currency) ?? 0) + amountMinor);
  return sums;
}

function methodOf({ method, card }: Order, words: ReceiptWords): string {
  if (method.kind === 'transfer') return words.transfer(BANKS[method.bank].name);
  return card ? `${words.card} ${brandName(card.brand)} •••• ${card.last4}` : words.card;
}

const brandName = (brand: string): string => brand.charAt(0).toUpperCase() + brand.slice(1);

/** Refunds and lost disputes of the trees and of photo packages. */
function refundsOf(
  order: Order,
  totals: ReadonlyMap<string, number>,
  words: ReceiptWords,
  money: (amountMinor: number, currency: string) => string,
): Receipt['refunds'] {
  const entries = [
    ...entriesOf(order, order.currency),
    ...order.growth.flatMap((purchase) =>
      entriesOf(purchase, purchase.currency, growthText(purchase, words)),
    ),
  ].toSorted((a, b) => a.at.localeCompare(b.at));
  if (entries.length === 0) return undefined;
  const kept = new Map(totals);
  for (const { amountMinor, currency } of entries) kept.set(currency, kept.get(currency)! - amountMinor);
  return {
    title: words.refunds,
    rows: entries.map(({ at, what, isLost, amountMinor, currency }): Fact => {
      const label = what ? `${words.day(at)} – ${what}` : words.day(at);
      return [isLost ? `${label}, ${words.takenBack}` : label, `−${money(amountMinor, currency)}`];
    }),
    left: [...kept].map(([currency, keptMinor]) => [words.left, money(keptMinor, currency)]),
  };
}

const entriesOf = ({ refunds, disputes }: MoneyBack, currency: Currency, what?: string) => [
  ...refunds.map(({ at, amountMinor }) => ({ at, amountMinor, currency, what, isLost: false })),
  ...disputes
    .filter(({ lostMinor }) => lostMinor > 0)
    .map(({ at, lostMinor }) => ({ at, amountMinor: lostMinor, currency, what, isLost: true })),
];
