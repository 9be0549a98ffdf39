import { EVENTS } from '@arboleda/contracts/events/index.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import { describe, expect, test } from '@jest/globals';
import { aPurchase } from '../test/builders.ts';
import { announcementHash, fingerprintOf, readAnnouncement } from './submit.ts';
import { anApproval, aTransfer } from './test/builders.ts';
import {
  approve,
  makeReference,
  needsSecondAdmin,
  referenceKey,
  referenceOrigin,
  reject,
  submitted,
  type Transfer,
  type TransferState,
} from './transfer.ts';

describe('transfer', () => {
  const clara = anApproval();

  const diego = anApproval({
    by: { role: 'admin', id: 'diego', name: 'Diego' },
    at: '2026-11-22T12:00:00.000Z',
  });

  const rejection = { by: clara.by, at: clara.at, reason: 'No money came' };

  const two = { secondAdminAboveUsd: 10 };

  const problemOf = (run: () => unknown): string => {
    try {
      run();
    } catch (error) {
      if (error instanceof Problem) return error.type;
      throw error;
    }
    throw new Error('was not refused');
  };

  const after = (transfer: Transfer, decision: ReturnType<typeof approve>): Transfer =>
    decision.kind === 'changed' ? { ...transfer, state: decision.state } : transfer;

  describe('a submitted transfer', () => {
    test('is published as the contract says, without private data', () => {
      const { type, data } = submitted(aTransfer());
      expect(type).toBe('payment.submitted');
      expect(EVENTS['payment.submitted'].data.strict().parse(data)).toEqual(data);
      expect(JSON.stringify(data)).not.toMatch(/quote|sha256/);
    });
  });

  describe('an approval', () => {
    test('makes it a payment of the full amount, even when less came in', () => {
      const decision = approve(aTransfer(), anApproval({ amountReceivedMinor: 8_000_000 }), {});
      expect(decision).toMatchObject({
        kind: 'changed',
        state: { status: 'approved', approval: { amountReceivedMinor: 8_000_000 } },
        events: [
          { type: 'payment.succeeded', data: { amountMinor: 8_230_000, transactionId: 'ARB-234679' } },
        ],
      });
    });

    test('is published as the contract says', () => {
      const decision = approve(aTransfer({ reference: undefined }), clara, {});
      const [event] = decision.kind === 'changed' ? decision.events : [];
      expect(EVENTS['payment.succeeded'].data.strict().parse(event!.data)).toEqual(event!.data);
    });
  });

  describe('above the amount that needs two admins', () => {
    test('the first is noted, the second by another admin decides', () => {
      const first = approve(aTransfer(), clara, two);
      expect(first).toEqual({ kind: 'changed', state: { status: 'pending', first: clara }, events: [] });
      const second = approve(after(aTransfer(), first), diego, two);
      expect(second).toMatchObject({ state: { status: 'approved', approval: diego, first: clara } });
    });

    test('one admin cannot approve twice', () => {
      const noted = aTransfer({ state: { status: 'pending', first: clara } });
      expect(problemOf(() => approve(noted, clara, two))).toBe('second-admin-required');
    });

    test('one is enough again when the rule is removed', () => {
      const noted = aTransfer({ state: { status: 'pending', first: clara } });
      expect(approve(noted, clara, {})).toMatchObject({ state: { status: 'approved' } });
    });
  });

  describe('whether two are needed', () => {
    const of = (amountMinor: number, currency: 'COP' | 'JPY' | 'USD', rate: number) =>
      aTransfer({
        purchase: aPurchase({ amountMinor, currency, quote: { id: 'q', rate, ratesAsOf: '2026-11-20' } }),
      });
    test.each([
      ['20 dollars in pesos, above 19.99', of(8_230_000, 'COP', 4115), 19.99, true],
      ['20 dollars in pesos, not above 20', of(8_230_000, 'COP', 4115), 20, false],
      ['20 dollars in yen, which have no hundredths', of(3_000, 'JPY', 150), 19.99, true],
      ['20 dollars in yen, not above 20', of(3_000, 'JPY', 150), 20, false],
      ['anything above nothing', of(1, 'USD', 1), 0, true],
      ['nobody asked for it', of(1_000_000_000, 'USD', 1), undefined, false],
    ])('%s', (_what, transfer, secondAdminAboveUsd, expected) => {
      expect(needsSecondAdmin(transfer, { secondAdminAboveUsd })).toBe(expected);
    });
  });

  /** Each state, and the result when Clara approves or rejects. */
  const DECISIONS: [string, TransferState, string, string][] = [
    ['pending', { status: 'pending' }, 'changed', 'changed'],
    ['first approved by herself', { status: 'pending', first: clara }, 'second-admin-required', 'changed'],
    ['first approved by Diego', { status: 'pending', first: diego }, 'changed', 'changed'],
    [
      'approved by herself',
      { status: 'approved', approval: clara },
      'unchanged',
      'transfer-already-approved',
    ],
    [
      'approved by Diego',
      { status: 'approved', approval: diego },
      'transfer-already-approved',
      'transfer-already-approved',
    ],
    [
      'approved by both, first by her',
      { status: 'approved', approval: diego, first: clara },
      'transfer-already-approved',
      'transfer-already-approved',
    ],
    ['rejected by herself', { status: 'rejected', ...rejection }, 'transfer-already-rejected', 'unchanged'],
    [
      'rejected by Diego',
      { status: 'rejected', ...rejection, by: diego.by },
      'transfer-already-rejected',
      'transfer-already-rejected',
    ],
  ];

  describe('Clara decides on a transfer that is', () => {
    const outcomeOf = (run: () => { kind: string }): string => {
      try {
        return run().kind;
      } catch (error) {
        return (error as Problem).type;
      }
    };
    test.each(DECISIONS)('%s', (_what, state, onApproval, onRejection) => {
      const transfer = aTransfer({ state });
      expect(outcomeOf(() => approve(transfer, clara, two))).toBe(onApproval);
      expect(outcomeOf(() => reject(transfer, rejection))).toBe(onRejection);
    });
  });

  test('a rejection keeps an earlier approval by another admin', () => {
    const decision = reject(aTransfer({ state: { status: 'pending', first: diego } }), rejection);
    expect(decision).toMatchObject({ state: { status: 'rejected', by: clara.by, first: diego } });
  });

  test('a rejection publishes its reason and the admin', () => {
    const decision = reject(aTransfer(), rejection);
    const [event] = decision.kind === 'changed' ? decision.events : [];
    expect(event).toMatchObject({
      type: 'payment.rejected',
      data: { reason: 'No money came', by: { id: 'clara' } },
    });
    expect(EVENTS['payment.rejected'].data.strict().parse(event!.data)).toEqual(event!.data);
  });
});

describe('announcement', () => {
  type Form = Parameters<typeof readAnnouncement>[0];

  const form = (parts: Partial<Form> = {}): Form => ({
    trees: 5,
    packageType: 'grove',
    currency: 'COP',
    customerEmail: 'ana@arboleda.test',
    customerName: 'Ana García',
    paymentMethod: 'manual_bancolombia',
    bankName: 'bancolombia',
    ...parts,
  });

  const file = (content: string, originalName = 'pago.jpg') => ({
    originalName,
    contentType: 'image/jpeg',
    bytes: Buffer.from(content),
  });

  const read = (parts: Partial<Form> = {}, files = [file('one')]) => readAnnouncement(form(parts), files);

  const problemOf = (run: () => unknown) => {
    try {
      run();
    } catch (error) {
      if (error instanceof Problem) return [error.type, ...error.fields.map(({ path }) => path)];
    }
    return [];
  };

  describe('a form', () => {
    test('has the purchase and the buyer; empty fields are absent', () => {
      const announcement = read({ customerPhone: '', referenceNumber: '', quote: '', locale: '' });
      expect(announcement).toMatchObject({ phone: undefined, reference: undefined });
      expect(announcement.request).toEqual({
        trees: 5,
        packageType: 'grove',
        currency: 'COP',
        customerEmail: 'ana@arboleda.test',
        customerName: 'Ana García',
      });
    });

    test('without name, address or files reports the fields first', () => {
      expect(problemOf(() => read({ customerName: ' ', customerEmail: undefined }, []))).toEqual([
        'required-fields',
        'customerName',
        'customerEmail',
      ]);
      expect(problemOf(() => read({}, []))).toEqual(['evidence-required', 'evidenceFiles']);
    });
  });

  describe('the name of a file', () => {
    const nameOf = (name: string) => read({}, [file('one', name)]).files[0]!.originalName;
    test('keeps printable characters', () =>
      expect(nameOf('Comprobante (ñandú) 1.png')).toBe('Comprobante (ñandú) 1.png'));
    test('loses what cannot be shown or stored', () =>
      expect(nameOf('a\u0000b\u202egpj\ud800.exe')).toBe('abgpj.exe'));
    test('is cut at a character boundary', () => {
      expect(nameOf('a'.repeat(500))).toHaveLength(200);
      expect(nameOf(`${'a'.repeat(199)}🌳`)).toBe('a'.repeat(199));
    });
  });

  describe('the hash of all that was asked', () => {
    const hash = announcementHash(read());
    test('is independent of the file names', () => {
      expect(announcementHash(read({}, [file('one', 'other.jpg')]))).toBe(hash);
    });
    test.each<[string, Partial<Form>]>([
      ['name', { customerName: 'Eva' }],
      ['phone', { customerPhone: '1' }],
      ['reference', { referenceNumber: 'M1' }],
      ['quote', { quote: 'q' }],
      ['count', { trees: 6 }],
    ])('differs with another %s', (_what, parts) => {
      expect(announcementHash(read(parts))).not.toBe(hash);
    });
  });

  describe('the fingerprint of a purchase', () => {
    const print = fingerprintOf(read({}, [file('one'), file('two')]));
    test('is independent of the order of files and of other fields', () => {
      const again = read({ customerName: 'ana', referenceNumber: 'M1', quote: 'q' }, [
        file('two'),
        file('one'),
      ]);
      expect(fingerprintOf(again)).toBe(print);
    });
    test.each<[string, Partial<Form>, string[]]>([
      ['person', { customerEmail: 'eva@arboleda.test' }, ['one', 'two']],
      ['count', { trees: 6, packageType: 'custom' }, ['one', 'two']],
      ['currency', { currency: 'USD' }, ['one', 'two']],
      ['file', {}, ['one', 'three']],
    ])('differs with another %s', (_what, parts, contents) => {
      expect(
        fingerprintOf(
          read(
            parts,
            contents.map((each) => file(each)),
          ),
        ),
      ).not.toBe(print);
    });
  });
});

const many = Array.from({ length: 300 }, () => makeReference());

describe('a reference of ours', () => {
  test('is short and has no ambiguous characters', () => {
    for (const one of many) expect(one).toMatch(/^ARB-[2-9ACDEFGHJKMNPQRTUVWXYZ]{6}$/);
  });

  test('is rarely repeated', () => {
    expect(new Set(many).size).toBeGreaterThan(295);
  });

  test('is valid as suggested, in lower case, without the dash or with spaces', () => {
    for (const one of many) {
      for (const typed of [one, one.toLowerCase(), one.replace('-', ''), ` ${one.replace('-', ' ')} `]) {
        expect(referenceOrigin(typed)).toBe('ours');
      }
    }
  });

  test('is invalid with any one character wrong', () => {
    for (const one of many.slice(0, 20)) {
      for (let at = 4; at < one.length; at++) {
        for (const other of '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ') {
          if (other === one[at]) continue;
          expect(referenceOrigin(one.slice(0, at) + other + one.slice(at + 1))).toBe('mistyped');
        }
      }
    }
  });

  test('is invalid with two neighbors swapped', () => {
    for (const one of many) {
      for (let at = 4; at < one.length - 1; at++) {
        const [left, right] = [one[at]!, one[at + 1]!];
        if (left === right) continue;
        expect(referenceOrigin(one.slice(0, at) + right + left + one.slice(at + 2))).toBe('mistyped');
      }
    }
  });
});

describe('any reference', () => {
  test.each([
    ['M-123 456', 'M123456'],
    ['m123456', 'M123456'],
    ['ｍ１２３４５６', 'M123456'],
    ['Ñandú 2026', 'ÑANDÚ2026'],
    ['1', undefined],
    ['n/a', undefined],
    ['----', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('%j is compared as %j', (reference, key) => {
    expect(referenceKey(reference)).toBe(key);
  });

  test.each(['M123456', 'ARB', 'ARB-1', 'ARBOLEDA 5', undefined])(
    '%j is not mistaken for one of ours',
    (reference) => {
      expect(referenceOrigin(reference)).toBe(reference === undefined ? 'none' : 'other');
    },
  );
});
