import { describe, expect, test } from '@jest/globals';
import { check } from './check.ts';
import type { Told } from './clients.ts';
import { soundSnapshot, soundTold } from './fixtures.ts';
import { becomeQuiet, type Kill, recoveryTable, recoveryViolations } from './kills.ts';
import type { Snapshot } from './snapshot.ts';
import { openBehind } from './stores.ts';

describe('the checker', () => {
  const violations = (
    doctor: (snapshot: Snapshot, told: Told) => void = () => undefined,
    kills: readonly Kill[] = [],
  ): string[] => {
    const [snapshot, told] = [soundSnapshot(), soundTold()];
    doctor(snapshot, told);
    return check(snapshot, told, kills).violations;
  };

  test('the checker finds nothing in a sound snapshot', () => {
    expect(violations()).toEqual([]);
  });

  const DOCTORED: [string, (snapshot: Snapshot, told: Told) => void, string][] = [
    ['an order that is missing', (snapshot) => void snapshot.orders.shift(), 'charge pi_1 has 0 orders'],
    [
      'an order that is there twice',
      (snapshot) => void snapshot.orders.push({ ...snapshot.orders[0]!, id: 'order-9' }),
      'charge pi_1 has 2 orders',
    ],
    [
      'an order that was never paid',
      (snapshot) => void snapshot.charges.shift(),
      'order order-1 was never charged',
    ],
    [
      'a card that was charged twice',
      (snapshot) => void snapshot.charges.push({ ...snapshot.charges[0]! }),
      'intent pi_1 was charged 2 times',
    ],
    [
      'an order of another amount',
      (snapshot) => void (snapshot.orders[0]!.amount = 499),
      'order order-1 says 499, charged 500',
    ],
    [
      'a transfer without its order',
      (snapshot) => void snapshot.orders.pop(),
      'transfer order-2 has 0 orders',
    ],
    [
      'a transfer that forgot its decision',
      (snapshot) => void (snapshot.transfers[0]!.status = 'pending'),
      'transfer order-2 was approved, and is pending',
    ],
    [
      'a transfer that is not there',
      (snapshot) => void snapshot.transfers.pop(),
      'transfer order-2 was taken, and is not there',
    ],
    [
      'evidence that is gone',
      (snapshot) => void (snapshot.transfers[0]!.evidenceKept = 0),
      'transfer order-2 lost evidence',
    ],
    [
      'a package that its order does not have',
      (snapshot) => void snapshot.orders[0]!.purchases.pop(),
      'order order-1 has its package purchase-1 0 times',
    ],
    [
      'a package that was paid and not sold',
      (snapshot) => void snapshot.purchases.pop(),
      'package charge pi_2 has 0 purchases',
    ],
    [
      'a refund that was made twice',
      (snapshot) => void snapshot.refunds.push({ ...snapshot.refunds[0]! }),
      'refund refund-1 was made 2 times',
    ],
    [
      'a refund that its order does not know',
      (snapshot) => void snapshot.orders[0]!.refunds.pop(),
      'order order-1 has refund refund-1 0 times',
    ],
    [
      'a history with a step that is not allowed',
      (snapshot) => void (snapshot.orders[0]!.history[3]!.to = 'completed'),
      'order order-1: its history has an illegal step, assigned to completed',
    ],
    [
      'a history with a gap',
      (snapshot) => void snapshot.orders[0]!.history.splice(2, 1),
      'order order-1: its history goes on from assigned when it was pending',
    ],
    [
      'a history that ends elsewhere',
      (snapshot) => void (snapshot.orders[0]!.status = 'completed'),
      'order order-1: its history ends with planted, and it is completed',
    ],
    [
      'a payment that is told twice',
      (snapshot) => void snapshot.orders[0]!.history.push({ type: 'paid' }),
      'order order-1: its history says 2 times that it was paid',
    ],
    [
      'a step that a worker was promised',
      (_snapshot, told) => void told.steps.push({ orderId: 'order-1', status: 'completed' }),
      'order order-1 was told to be completed, and is planted',
    ],
    ['a photo that is lost', (snapshot) => void snapshot.photos.pop(), 'photo photo-1.jpg is there 0 times'],
    [
      'a photo with other bytes',
      (snapshot) => void (snapshot.photos[0]!.originalSha256 = 'abd'),
      'the original of photo photo-1.jpg is not what was sent',
    ],
    [
      'a photo that is not shown',
      (snapshot) => void (snapshot.photos[0]!.shown = 404),
      'photo photo-1.jpg is not shown (404)',
    ],
    [
      'a photo that its order does not have',
      (snapshot) => void snapshot.orders[0]!.photos.pop(),
      'order order-1 has photo photo-1.jpg 0 times',
    ],
    [
      'a receipt that did not come',
      (snapshot) => void (snapshot.mails = snapshot.mails.slice(1)),
      'order order-1 (card) has 0 receipts',
    ],
    [
      'two receipts for one order',
      (snapshot) => void (snapshot.mails = [...snapshot.mails, { ...snapshot.mails[0]!, messageId: 'm9' }]),
      'order order-1 (card) has 2 receipts',
    ],
    [
      'an account that nobody asked to verify',
      (snapshot) => void (snapshot.mails = snapshot.mails.slice(0, 2)),
      'eva@reliability.test was asked 0 times to verify the address',
    ],
    [
      'an order that assignments never heard of',
      (snapshot) => void snapshot.assigned.shift(),
      'order order-1 has 0 assignments',
    ],
    [
      'an order that notifications never heard of',
      (snapshot) => void (snapshot.toldOf = ['order-2']),
      'notifications never heard of order order-1',
    ],
    ['a dead letter', (snapshot) => void (snapshot.leftovers[0]!.count = 1), 'left: 1 dead letters'],
    [
      'a gift that was never sent',
      (snapshot) => void (snapshot.mails = snapshot.mails.slice(0, 3)),
      'the gift of order order-1 was sent 0 times, and its history says 1',
    ],
    [
      'a gift that was sent twice',
      (snapshot) => void (snapshot.mails = [...snapshot.mails, { ...snapshot.mails[3]!, messageId: 'm9' }]),
      'the gift of order order-1 was sent 2 times, and its history says 1',
    ],
    [
      'a gift whose delivery was never reported',
      (snapshot) => void snapshot.orders[0]!.history.pop(),
      'the gift of order order-1 was sent 1 times, and its history says 0',
    ],
    [
      'a client that was told nonsense',
      (_snapshot, told) => void told.complaints.push('visitor 3: 400'),
      'visitor 3: 400',
    ],
  ];

  test.each(DOCTORED)('the checker finds %s', (_what, doctor, violation) => {
    expect(violations(doctor)).toContain(violation);
  });

  describe('a mail that came twice', () => {
    const twice = (snapshot: Snapshot) =>
      void (snapshot.mails = [
        ...snapshot.mails,
        { ...snapshot.mails[0]!, at: snapshot.mails[0]!.at + 9_000 },
      ]);
    const killed = (process: string, afterMs: number): Kill[] => [
      { process, how: 'random', at: soundSnapshot().mails[0]!.at + afterMs },
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
      const again = (snapshot: Snapshot) =>
        void (snapshot.mails = [
          ...snapshot.mails,
          ...Array.from({ length: 10 }, (_, copy) => {
            const mail = {
              ...snapshot.mails[0]!,
              messageId: `again-${Math.floor(copy / 2)}`,
              orderTokens: [],
            };
            return { ...mail, at: mail.at + (copy % 2) * 9_000 };
          }),
        ]);
      expect(violations(again, killed('notifications', 100))).toHaveLength(1);
    });
  });
});

describe('what a group has not handled', () => {
  const offsets = (...all: number[]) => new Map(all.map((offset, at) => [`orders/${at}`, offset]));

  test('a group that has handled all there is waits for nothing', () => {
    const since = openBehind();
    expect(since({ at: 1, ends: offsets(5, 0), handled: offsets(5, 0) })).toBeUndefined();
  });

  test('what waits came after the last look at which nothing did', () => {
    const since = openBehind();
    since({ at: 1, ends: offsets(5), handled: offsets(5) });
    expect(since({ at: 2, ends: offsets(6), handled: offsets(5) })).toBe(1);
    expect(since({ at: 3, ends: offsets(6), handled: offsets(5) })).toBe(1);
  });

  test('a group that is never level, but handles what came before, is not behind since ever', () => {
    const since = openBehind();
    since({ at: 1, ends: offsets(5), handled: offsets(5) });
    expect(since({ at: 2, ends: offsets(7), handled: offsets(5) })).toBe(1);
    expect(since({ at: 3, ends: offsets(9), handled: offsets(7) })).toBe(2);
    expect(since({ at: 4, ends: offsets(11), handled: offsets(9) })).toBe(3);
  });

  test('one partition that stands still holds it back, however far the others are', () => {
    const since = openBehind();
    since({ at: 1, ends: offsets(5, 5), handled: offsets(5, 5) });
    since({ at: 2, ends: offsets(6, 6), handled: offsets(5, 6) });
    expect(since({ at: 3, ends: offsets(6, 9), handled: offsets(5, 9) })).toBe(1);
    expect(since({ at: 4, ends: offsets(6, 9), handled: offsets(6, 9) })).toBeUndefined();
  });

  test('a group that was behind at the first look is so since then at least', () => {
    expect(openBehind()({ at: 7, ends: offsets(3), handled: offsets(1) })).toBe(7);
  });
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

  test('recovery is told for all processes and for each', () => {
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
