import { nothingTold, type Told } from './clients.ts';
import type { OrderSeen, Snapshot } from './snapshot.ts';

const CARD_HISTORY = [
  { type: 'paid' },
  { type: 'created' },
  { type: 'status_changed', from: 'pending', to: 'assigned' },
  { type: 'status_changed', from: 'assigned', to: 'planted' },
  { type: 'photo' },
  { type: 'gift_sent' },
];

const cardOrder: OrderSeen = {
  id: 'order-1',
  token: 'token-1',
  email: 'ana@reliability.test',
  kind: 'card',
  transactionId: 'pi_1',
  amount: 500,
  status: 'planted',
  revision: 2,
  verification: undefined,
  refunds: ['refund-1'],
  purchases: ['purchase-1'],
  photos: ['photo-1.jpg'],
  history: CARD_HISTORY,
};

const transferOrder: OrderSeen = {
  id: 'order-2',
  token: 'token-2',
  email: 'luis@reliability.test',
  kind: 'transfer',
  transactionId: 'ref',
  amount: 900,
  status: 'pending',
  revision: 0,
  verification: 'approved',
  refunds: [],
  purchases: [],
  photos: [],
  history: [{ type: 'submitted' }, { type: 'approved' }, { type: 'created' }],
};

const mail = (id: string, subject: string, to: string, token?: string) => ({
  messageId: id,
  subject,
  to,
  orderTokens: token === undefined ? [] : [token],
  at: 1_000_000,
});

/** A small snapshot without faults. Each test adds one. */
export const soundSnapshot = (): Snapshot =>
  structuredClone({
    charges: [
      { intentId: 'pi_1', amount: 500, status: 'succeeded', orderId: 'order-1' },
      { intentId: 'pi_2', amount: 1500, status: 'succeeded', orderId: 'order-1', purchaseId: 'purchase-1' },
    ],
    refunds: [{ refundId: 'refund-1', amount: 100, status: 'succeeded' }],
    transfers: [{ orderId: 'order-2', status: 'approved', evidence: 1, evidenceKept: 1 }],
    purchases: [{ purchaseId: 'purchase-1', orderId: 'order-1', status: 'active', intentId: 'pi_2' }],
    orders: [cardOrder, transferOrder],
    assigned: [
      { orderId: 'order-1', status: 'planted' },
      { orderId: 'order-2', status: 'pending' },
    ],
    toldOf: ['order-1', 'order-2'],
    photos: [
      { filename: 'photo-1.jpg', orderId: 'order-1', state: 'ready', originalSha256: 'abc', shown: 200 },
    ],
    mails: [
      mail('m1', 'Receipt for 1 tree · order RDER-1', 'ana@reliability.test', 'token-1'),
      mail('m2', 'Transferencia aprobada: 3 árboles', 'luis@reliability.test', 'token-2'),
      mail('m3', 'Verify your email address', 'eva@reliability.test'),
      mail('m4', 'Un regalo de Ana Torres: 2 árboles', 'rosa@reliability.test'),
    ],
    leftovers: [{ what: 'dead letters', count: 0 }],
  });

export const soundTold = (): Told => ({
  ...nothingTold(),
  paid: [{ orderId: 'order-1', intentId: 'pi_1', email: 'ana@reliability.test' }],
  transfers: [{ orderId: 'order-2', email: 'luis@reliability.test', decision: 'approved' }],
  photos: [{ filename: 'photo-1.jpg', orderId: 'order-1', sha256: 'abc' }],
  steps: [{ orderId: 'order-1', status: 'planted' }],
  refunds: [{ orderId: 'order-1', refundId: 'refund-1', amountMinor: 100 }],
  packages: [{ orderId: 'order-1', intentId: 'pi_2' }],
  gifts: [{ orderId: 'order-1', to: 'rosa@reliability.test' }],
  registered: ['eva@reliability.test'],
});
