import type { PackageType, PhotoPackageType } from '@arboleda/contracts/packages.ts';
import { DATE_STYLES, LOCALES } from '@arboleda/contracts/regional-formats.ts';
import type { Language } from '@arboleda/contracts/roles.ts';
import { organisationTimeZone } from '@arboleda/contracts/time-zone.ts';

/** All texts of a receipt in one language. */
export interface ReceiptWords {
  title: string;
  number: string;
  date: string;
  order: string;
  receivedFrom: string;
  method: string;
  reference: string;
  transaction: string;
  card: string;
  transfer: (bank: string) => string;
  columns: { item: string; quantity: string; unit: string; amount: string };
  trees(count: number, packageType: PackageType): string;
  treesNote: string;
  growth(packageType: PhotoPackageType, updates: number): string;
  boughtOn(day: string): string;
  total: string;
  refunds: string;
  left: string;
  /** Follows the date of a lost dispute. */
  takenBack: string;
  closing: string;
  /** Formats the date of an instant in the organisation's time zone. */
  day(instant: string): string;
  count(n: number): string;
}

const formats = (language: Language) => {
  const locale = LOCALES[language];
  const count = new Intl.NumberFormat(locale);
  return {
    day: (instant: string) =>
      new Date(instant).toLocaleDateString(locale, {
        ...DATE_STYLES.day,
        timeZone: organisationTimeZone(),
      }),
    count: (n: number) => count.format(n),
  };
};

const PACKAGES_EN = { individual: 'Individual', grove: 'Grove', patch: 'Forest patch', custom: undefined };
const PACKAGES_ES = {
  individual: 'Individual',
  grove: 'Bosquecito',
  patch: 'Pedazo de bosque',
  custom: undefined,
};
const GROWTH_EN = { first_year: 'First year', three_year: 'Three-year story', lifetime: 'Lifetime' };
const GROWTH_ES = { first_year: 'Primer año', three_year: 'Historia de tres años', lifetime: 'Toda la vida' };

const named = (text: string, name: string | undefined) => (name ? `${text} – ${name}` : text);

const WORDS: Record<Language, ReceiptWords> = {
  en: {
    title: 'Receipt',
    number: 'Receipt number',
    date: 'Date',
    order: 'Order',
    receivedFrom: 'Received from',
    method: 'Payment method',
    reference: 'Reference',
    transaction: 'Transaction',
    card: 'Card',
    transfer: (bank) => `${bank} bank transfer`,
    columns: { item: 'Description', quantity: 'Quantity', unit: 'Unit price', amount: 'Amount' },
    trees: (count, packageType) =>
      named(count === 1 ? 'Native tree' : 'Native trees', PACKAGES_EN[packageType]),
    treesNote: 'Planted and documented in Colombia',
    growth: (packageType, updates) => `Growth updates – ${GROWTH_EN[packageType]} (${updates})`,
    boughtOn: (day) => `Bought on ${day}`,
    total: 'Total',
    refunds: 'Refunds',
    left: 'Total after refunds',
    takenBack: 'taken back by the bank',
    closing:
      'Thank you. Your trees and their photos can be seen at any time through the link in your emails.',
    ...formats('en'),
  },
  es: {
    title: 'Recibo',
    number: 'Número de recibo',
    date: 'Fecha',
    order: 'Pedido',
    receivedFrom: 'Recibido de',
    method: 'Medio de pago',
    reference: 'Referencia',
    transaction: 'Transacción',
    card: 'Tarjeta',
    transfer: (bank) => `Transferencia ${bank}`,
    columns: { item: 'Descripción', quantity: 'Cantidad', unit: 'Precio unitario', amount: 'Importe' },
    trees: (count, packageType) =>
      named(count === 1 ? 'Árbol nativo' : 'Árboles nativos', PACKAGES_ES[packageType]),
    treesNote: 'Siembra y seguimiento en Colombia',
    growth: (packageType, updates) => `Fotos de crecimiento – ${GROWTH_ES[packageType]} (${updates})`,
    boughtOn: (day) => `Compra del ${day}`,
    total: 'Total',
    refunds: 'Reembolsos',
    left: 'Total después de reembolsos',
    takenBack: 'retirado por el banco',
    closing: 'Gracias. Puedes ver tus árboles y sus fotos en cualquier momento con el enlace de tus correos.',
    ...formats('es'),
  },
};

export const receiptWords = (language: Language): ReceiptWords => WORDS[language];
