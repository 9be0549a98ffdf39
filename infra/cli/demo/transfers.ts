import type { DemoOrder } from './orders.ts';

/** A buyer who pays by bank transfer, with the admin's decision. */
export interface DemoTransfer extends Pick<
  DemoOrder,
  'key' | 'customer' | 'language' | 'packageType' | 'trees'
> {
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
    packageType: 'patch',
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
    packageType: 'grove',
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
    packageType: 'individual',
    trees: 1,
    reference: 'Factura 33',
    evidence: 'transfer-elsewhere.jpg',
    decision: {
      kind: 'rejected',
      reason: 'El comprobante es de un pago a otra cuenta. Revisa el número y envía el que corresponde.',
    },
  },
];
