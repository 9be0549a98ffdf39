import { describe, expect, test } from '@jest/globals';
import type { Kill } from '../supervisor.ts';
import { check } from './check.ts';
import { becomeQuiet, recoveryTable, recoveryViolations } from './kills.ts';
import { noPromises, type Promises } from './people.ts';
import type { MailSeen, OrderSeen, Snapshot } from './snapshot.ts';
import { openMarks } from './stores.ts';

const order = (more: Partial<OrderSeen>): OrderSeen => ({
  id: 'order-1',
  token: 'token-1',
  email: 'ana@reliability.test',
  kind: 'card',
  transactionId: 'pi_1',
  amount: 500,
  status: 'pending',
  revision: 0,
  verification: null,
  refunds: [],
  purchases: [],
  photos: [],
  history: [],
  ...more,
});
const mail = (messageId: string, subject: string, to: string, token?: string): MailSeen => ({
  messageId,
  subject,
  to,
  orderTokens: token === undefined ? [] : [token],
  at: 1_000_000,
});

/** An order by card with everything that can happen to it, and an approved transfer. */
const soundSnapshot = (): Snapshot => ({
  charges: [
    { intentId: 'pi_1', amount: 500, orderId: 'order-1' },
    { intentId: 'pi_2', amount: 1500, orderId: 'order-1', purchaseId: 'purchase-1' },
  ],
  refunds: [{ refundId: 'refund-1', amount: 100 }],
  transfers: [{ orderId: 'order-2', status: 'approved', evidence: 1, evidenceKept: 1 }],
  purchases: [{ purchaseId: 'purchase-1', orderId: 'order-1', intentId: 'pi_2' }],
  orders: [
    order({
      status: 'planted',
      revision: 2,
      refunds: ['refund-1'],
      purchases: ['purchase-1'],
      photos: ['photo-1.jpg'],
      history: [
        { type: 'paid' },
        { type: 'created' },
        { type: 'status_changed', from: 'pending', to: 'assigned' },
        { type: 'status_changed', from: 'assigned', to: 'planted' },
        { type: 'gift_sent' },
      ],
    }),
    order({
      id: 'order-2',
      token: 'token-2',
      email: 'luis@reliability.test',
      kind: 'transfer',
      transactionId: 'ref',
      verification: 'approved',
      history: [{ type: 'submitted' }, { type: 'approved' }, { type: 'created' }],
    }),
  ],
  assigned: [
    { orderId: 'order-1', status: 'planted' },
    { orderId: 'order-2', status: 'pending' },
  ],
  notified: ['order-1', 'order-2'],
  photos: [{ filename: 'photo-1.jpg', originalSha256: 'abc', shown: 200 }],
  mails: [
    mail('m1', 'Receipt for 1 tree · order RDER-1', 'ana@reliability.test', 'token-1'),
    mail('m2', 'Transferencia aprobada: 3 árboles', 'luis@reliability.test', 'token-2'),
    mail('m3', 'Verify your email address', 'eva@reliability.test'),
    mail('m4', 'Un regalo de Ana Torres: 2 árboles', 'rosa@reliability.test'),
  ],
  leftovers: [{ what: 'dead letters', count: 0 }],
});

const soundPromises = (): Promises => ({
  ...noPromises(),
  paid: [{ orderId: 'order-1', intentId: 'pi_1' }],
  transfers: [{ orderId: 'order-2', decision: 'approved' }],
  photos: [{ filename: 'photo-1.jpg', orderId: 'order-1', sha256: 'abc' }],
  steps: [{ orderId: 'order-1', status: 'planted' }],
  refunds: [{ orderId: 'order-1', refundId: 'refund-1', amountMinor: 100 }],
  packages: [{ orderId: 'order-1', intentId: 'pi_2' }],
  gifts: [{ orderId: 'order-1', to: 'rosa@reliability.test' }],
  registered: ['eva@reliability.test'],
});

type Break = (snapshot: Snapshot, promises: Promises) => unknown;
function violations(breakIt: Break = () => undefined, kills: readonly Kill[] = []): string[] {
  const [snapshot, promises] = [soundSnapshot(), soundPromises()];
  breakIt(snapshot, promises);
  return check(snapshot, promises, kills);
}

test('the checker finds nothing in a sound snapshot', () => expect(violations()).toEqual([]));

test.each<[string, Break]>([
  ['charge pi_1 has 0 orders', ({ orders }) => orders.shift()],
  ['charge pi_1 has 2 orders', ({ orders }) => orders.push({ ...orders[0]!, id: 'order-9' })],
  ['order order-1 was never charged', ({ charges }) => charges.shift()],
  ['intent pi_1 was said to be paid, and is not', ({ charges }) => charges.shift()],
  ['intent pi_1 was charged 2 times', ({ charges }) => charges.push(charges[0]!)],
  ['order order-1 says 499, charged 500', ({ orders }) => (orders[0]!.amount = 499)],
  ['transfer order-2 has 0 orders', ({ orders }) => orders.pop()],
  ['transfer order-2 was approved, and is pending', ({ transfers }) => (transfers[0]!.status = 'pending')],
  ['transfer order-2 was taken, and is not there', ({ transfers }) => transfers.pop()],
  ['transfer order-2 lost evidence', ({ transfers }) => (transfers[0]!.evidenceKept = 0)],
  ['order order-1 has its package purchase-1 0 times', ({ orders }) => orders[0]!.purchases.pop()],
  ['package charge pi_2 has 0 purchases', ({ purchases }) => purchases.pop()],
  ['refund refund-1 was made 2 times', ({ refunds }) => refunds.push(refunds[0]!)],
  ['order order-1 has refund refund-1 0 times', ({ orders }) => orders[0]!.refunds.pop()],
  [
    'order order-1: its history has an illegal step, assigned to completed',
    ({ orders }) => (orders[0]!.history[3]!.to = 'completed'),
  ],
  [
    'order order-1: its history goes on from assigned when it was pending',
    ({ orders }) => orders[0]!.history.splice(2, 1),
  ],
  [
    'order order-1: its history ends with planted, and it is completed',
    ({ orders }) => (orders[0]!.status = 'completed'),
  ],
  [
    'order order-1: its history says 2 times that it was paid',
    ({ orders }) => orders[0]!.history.push({ type: 'paid' }),
  ],
  [
    'order order-1 was said to be completed, and is planted',
    (_snapshot, { steps }) => steps.push({ orderId: 'order-1', status: 'completed' }),
  ],
  [
    'the original of photo photo-1.jpg is not what was sent',
    ({ photos }) => (photos[0]!.originalSha256 = undefined),
  ],
  ['photo photo-1.jpg is not shown (404)', ({ photos }) => (photos[0]!.shown = 404)],
  ['order order-1 has photo photo-1.jpg 0 times', ({ orders }) => orders[0]!.photos.pop()],
  ['order order-1 (card) has 0 receipts', ({ mails }) => mails.shift()],
  ['order order-1 (card) has 2 receipts', ({ mails }) => mails.push({ ...mails[0]!, messageId: 'm9' })],
  ['eva@reliability.test was asked 0 times to verify the address', ({ mails }) => mails.splice(2, 1)],
  ['order order-1 has 0 assignments', ({ assigned }) => assigned.shift()],
  ['notifications never received order order-1', ({ notified }) => notified.shift()],
  ['left: 1 dead letters', ({ leftovers }) => (leftovers[0]!.count = 1)],
  ['the gift of order order-1 was sent 0 times, and its history says 1', ({ mails }) => mails.pop()],
  [
    'the gift of order order-1 was sent 2 times, and its history says 1',
    ({ mails }) => mails.push({ ...mails[3]!, messageId: 'm9' }),
  ],
  [
    'the gift of order order-1 was sent 1 times, and its history says 0',
    ({ orders }) => orders[0]!.history.pop(),
  ],
  ['visitor 3: 400', (_snapshot, { complaints }) => complaints.push('visitor 3: 400')],
])('the checker finds: %s', (violation, breakIt) => {
  expect(violations(breakIt)).toContain(violation);
});

describe('a mail that came twice', () => {
  const twice: Break = ({ mails }) => mails.push({ ...mails[0]!, at: mails[0]!.at + 9_000 });
  const killed = (process: string, afterMs: number): Kill[] => [
    { process, how: 'random', at: 1_000_000 + afterMs },
  ];

  test('is a violation while its sender lived', () => {
    const expected = ['mail m1 (Receipt for 1 tree · order RDER-1) came twice though its sender lived'];
    expect(violations(twice)).toEqual(expected);
    expect(violations(twice, killed('orders', 100))).toEqual(expected);
    expect(violations(twice, killed('notifications', 20_000))).toEqual(expected);
  });

  test('is excused when the confirmation died with its sender', () => {
    expect(violations(twice, killed('notifications', 100))).toEqual([]);
  });

  test('one death excuses no more emails than were in flight', () => {
    const again: Break = ({ mails }) => {
      for (const messageId of ['a', 'b', 'c', 'd', 'e']) {
        const one = { ...mails[0]!, messageId, orderTokens: [] };
        mails.push(one, { ...one, at: one.at + 9_000 });
      }
    };
    expect(violations(again, killed('notifications', 100))).toHaveLength(1);
  });
});

test('a group of consumers has caught up with a kill once it has handled what was there then', () => {
  const hasHandled = openMarks();
  const offsets = (...all: number[]) => new Map(all.map((offset, at) => [`orders/${at}`, offset]));
  expect(hasHandled('orders', 1, { ends: offsets(5, 5), handled: offsets(4, 5) })).toBe(false);
  // Events keep coming, and one partition stands still.
  expect(hasHandled('orders', 1, { ends: offsets(9, 9), handled: offsets(4, 9) })).toBe(false);
  expect(hasHandled('orders', 1, { ends: offsets(9, 9), handled: offsets(5, 5) })).toBe(true);
  expect(hasHandled('orders', 2, { ends: offsets(9, 9), handled: offsets(5, 5) })).toBe(false);
});

describe('kills', () => {
  const kill = (more: Partial<Kill> = {}): Kill => ({
    process: 'orders',
    how: 'random',
    at: 1_000,
    servedAt: 2_000,
    caughtUpAt: 3_500,
    ...more,
  });

  test('reports recovery of all processes together and of each', () => {
    expect(recoveryTable([kill(), kill({ process: 'media', caughtUpAt: 11_000 })]).rows).toEqual([
      ['a request is served', 2, '1.00 s', '1.00 s', '1.00 s', '1.00 s'],
      ['nothing from before waits', 2, '2.50 s', '10.00 s', '10.00 s', '10.00 s'],
      ['killed again before that', 0, '', '', '', ''],
      ['… of media', 1, '10.00 s', '10.00 s', '10.00 s', '10.00 s'],
      ['… of orders', 1, '2.50 s', '2.50 s', '2.50 s', '2.50 s'],
    ]);
  });

  test('a process that does not come back, or comes back late, is a violation; one that died again is not', () => {
    const { servedAt: _served, caughtUpAt: _caught, ...lost } = kill();
    expect(recoveryViolations([kill()])).toEqual([]);
    expect(recoveryViolations([lost])).toEqual(['orders did not recover from a kill (random)']);
    expect(recoveryViolations([{ ...lost, isSuperseded: true }])).toEqual([]);
    expect(recoveryViolations([kill({ caughtUpAt: 40_000 })])).toEqual([
      'recovery p99 is 39.00 s, more than 30.00 s',
    ]);
  });
});

describe('waiting until nothing is left to do', () => {
  const PATIENCE = { withoutProgressMs: 60, pauseMs: 5 };

  /** Counts one look after another; the last one stays. */
  const counting = (counts: number[]) => {
    let looks = 0;
    return {
      leftovers: async () => [{ count: 0 }, { count: counts[Math.min(looks++, counts.length - 1)]! }],
      looks: () => looks,
    };
  };

  test('waits for as long as there is less and less to do', async () => {
    const slow = counting(Array.from({ length: 40 }, (_, n) => 39 - n));
    await becomeQuiet(slow.leftovers, PATIENCE);
    expect(slow.looks()).toBe(40);
  });

  test('gives up when what is left stays, though it may come and go', async () => {
    const stuck = counting([5, 2, ...Array.from({ length: 500 }, (_, n) => 2 + (n % 2))]);
    await becomeQuiet(stuck.leftovers, PATIENCE);
    expect(stuck.looks()).toBeLessThan(40);
  });
});
