import type { Currency } from '@arboleda/contracts/countries.ts';
import type { Coordinates } from '@arboleda/contracts/fields.ts';
import type { Gift } from '@arboleda/contracts/gift.ts';
import type { OrderStatus } from '@arboleda/contracts/order.ts';
import type { PhotoPackageType } from '@arboleda/contracts/packages.ts';
import type { Language } from '@arboleda/contracts/roles.ts';
import { DEMO_CUSTOMER } from './accounts.ts';

export interface DemoOrder {
  /** Identifies the order over restarts. */
  key: string;
  customer: { name: string; email: string };
  language: Language;
  /** Those of a fixed package buy that package. */
  trees: number;
  currency: Currency;
  /** Target status. */
  until: OrderStatus;
  /** Files of ../photos. */
  photos: readonly string[];
  notes?: string;
  /** Growth updates bought for it; only the demo's customer can buy some. */
  growth?: PhotoPackageType;
  /** Name on the certificate that the donor gets once the photos are there. */
  certificate?: string;
  /** For somebody else, who gets the card from the buyer or an email. */
  gift?: Pick<Gift, 'recipientName' | 'recipientEmail' | 'message' | 'language' | 'card'> & {
    /** Days after the demo's beginning; today is at once. */
    inDays: number;
    /** The demo's customer takes it, and says this to the buyer. */
    thanks?: string;
  };
  /** The donor withdraws from the purchase, for this reason. */
  withdraws?: string;
  /** Admin actions. */
  office?: {
    /** Refunds this many trees. */
    refund?: { trees: number; reason: string };
    edit?: { trees?: number; customerName?: string };
    note?: string;
    /** Revokes the certificate, for this reason. */
    revoke?: string;
  };
}

const emma = { name: DEMO_CUSTOMER.name, email: DEMO_CUSTOMER.email };

/** Orders in every status, from donors in several countries. */
export const DEMO_ORDERS: readonly DemoOrder[] = [
  {
    key: 'grove',
    customer: emma,
    language: 'en',
    trees: 5,
    currency: 'USD',
    until: 'completed',
    photos: ['ph-planting.jpg', 'ph-sapling.jpg', 'ph-valley.jpg'],
    // Its completion makes a second version.
    certificate: 'Emma and Oliver',
    notes: 'Guayacán and cedro on the slope above the stream. The rain came the same night.',
  },
  {
    key: 'patch',
    customer: { name: 'Carlos Gómez', email: 'carlos@arboleda.test' },
    language: 'es',
    trees: 20,
    currency: 'COP',
    until: 'completed',
    photos: ['ph-rows.jpg', 'ph-portrait.jpg'],
    notes: 'Veinte robles en curvas de nivel, con cerca para el ganado.',
    gift: {
      recipientName: DEMO_CUSTOMER.name,
      recipientEmail: null,
      message: 'Happy birthday, Emma!\nTwenty oaks, one for each year since we met.',
      language: 'en',
      card: 'forest',
      inDays: 0,
      thanks: 'What a present, Carlos! I will visit them one day.',
    },
  },
  {
    key: 'single',
    customer: emma,
    language: 'en',
    trees: 1,
    currency: 'USD',
    until: 'planted',
    photos: ['ph-leaf.jpg'],
    // The first update is due at once, the others every half year.
    growth: 'three_year',
  },
  {
    key: 'classroom',
    customer: { name: 'Inés Álvarez', email: 'ines@arboleda.test' },
    language: 'es',
    trees: 32,
    currency: 'EUR',
    until: 'planted',
    photos: ['ph-hands.jpg'],
    notes: 'Un árbol por cada niña y cada niño de tercero.',
    certificate: 'Grado tercero B',
    office: { revoke: 'El colegio pidió retirarlo: eran los árboles de tercero A.' },
  },
  {
    key: 'birthday',
    customer: emma,
    language: 'en',
    trees: 10,
    currency: 'GBP',
    until: 'assigned',
    photos: [],
    office: {
      refund: { trees: 2, reason: 'Eight guests are coming, not ten.' },
      edit: { trees: 8 },
      note: 'Emma called: two guests cannot come. Refunded their trees and corrected the order.',
    },
  },
  {
    key: 'neighbour',
    customer: { name: 'Jorge Medina', email: 'jorge@arboleda.test' },
    language: 'es',
    trees: 5,
    currency: 'MXN',
    until: 'assigned',
    photos: [],
    gift: {
      recipientName: 'Rosa Medina',
      recipientEmail: 'rosa@arboleda.test',
      message: 'Para que tu jardín llegue hasta los Andes. Te quiero, mamá.',
      language: 'es',
      card: 'valley',
      inDays: 21,
    },
  },
  {
    // Exceeds every worker's capacity, so it waits for an admin or a worker with room.
    key: 'company',
    customer: { name: 'Textiles La Ceiba', email: 'compras@arboleda.test' },
    language: 'es',
    trees: 2000,
    currency: 'COP',
    until: 'pending',
    photos: [],
    office: {
      edit: { customerName: 'Textiles La Ceiba S.A.S.' },
      note: 'Piden la razón social completa en el recibo. Repartir la siembra entre varias cuadrillas.',
    },
  },
  {
    key: 'withdrawn',
    customer: { name: 'Paula Restrepo', email: 'paula@arboleda.test' },
    language: 'es',
    trees: 5,
    currency: 'COP',
    until: 'pending',
    photos: [],
    withdraws: 'Mi hermana ya nos había regalado los mismos árboles.',
  },
];

/** Planting sites by region. */
const PLACES: Record<string, { location: string; coordinates: Coordinates }> = {
  Quindío: {
    location: 'Vereda Boquía, Salento, Quindío',
    coordinates: { latitude: 4.6462, longitude: -75.5861 },
  },
  Cauca: {
    location: 'Resguardo de Guambía, Silvia, Cauca',
    coordinates: { latitude: 2.6415, longitude: -76.3612 },
  },
  Boyacá: {
    location: 'Vereda El Roble, Villa de Leyva, Boyacá',
    coordinates: { latitude: 5.6702, longitude: -73.4961 },
  },
};

/** A planting site in a region; different orders lie a few steps apart. */
export function placeIn(region: string, index: number): { location: string; coordinates: Coordinates } {
  const { location, coordinates } = PLACES[region] ?? PLACES.Quindío!;
  const apart = (value: number, factor: number) => Math.round((value + index * factor) * 1e6) / 1e6;
  return {
    location,
    coordinates: {
      latitude: apart(coordinates.latitude, 0.0007),
      longitude: apart(coordinates.longitude, -0.0005),
    },
  };
}

/** A buyer who pays by bank transfer, with the admin's decision. */
export interface DemoTransfer extends Pick<DemoOrder, 'key' | 'customer' | 'language' | 'trees'> {
  phone: string;
  /** The buyer's reference; the first two are ours, as docs/bank-statement-demo.csv names them. */
  reference: string;
  /** A file of ../photos: a receipt of the demo's bank. */
  evidence: string;
  decision: { kind: 'waits' } | { kind: 'approved'; note: string } | { kind: 'rejected'; reason: string };
}

/** All in Colombian pesos, like their receipts. */
export const DEMO_TRANSFERS: readonly DemoTransfer[] = [
  {
    key: 'school',
    customer: { name: 'Mariana Duque', email: 'mariana@arboleda.test' },
    language: 'es',
    phone: '+57 300 000 0418',
    trees: 20,
    reference: 'ARB-A5XXZ4',
    evidence: 'transfer-school.jpg',
    decision: { kind: 'waits' },
  },
  {
    key: 'neighbours',
    customer: { name: 'Oliver Hughes', email: 'oliver@arboleda.test' },
    language: 'en',
    phone: '+57 300 000 0377',
    trees: 5,
    reference: 'ARB-25VF4K',
    evidence: 'transfer-neighbours.jpg',
    decision: { kind: 'approved', note: 'Llegó el mismo día, valor completo.' },
  },
  {
    key: 'elsewhere',
    customer: { name: 'Andrés Quintero', email: 'andres@arboleda.test' },
    language: 'es',
    phone: '+57 300 000 0352',
    trees: 1,
    reference: 'Factura 33',
    evidence: 'transfer-elsewhere.jpg',
    decision: {
      kind: 'rejected',
      reason: 'El comprobante es de un pago a otra cuenta. Revisa el número y envía el que corresponde.',
    },
  },
];
