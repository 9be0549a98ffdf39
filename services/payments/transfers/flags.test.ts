import { describe, expect, test } from '@jest/globals';
import { flagsOf, type Resemblance } from './flags.ts';
import { aFile, anApproval, aTransfer } from './testing/builders.ts';
import type { TransferState } from './transfer.ts';

const NOTHING: Resemblance = { files: new Map(), reference: [] };
const OTHER = { orderId: 'f'.repeat(24), status: 'rejected' as const };

describe('an admin is shown', () => {
  test('nothing, when there is nothing to look at', () => {
    expect(flagsOf(aTransfer({ reference: 'M123456' }), NOTHING)).toEqual([]);
  });

  test('each file that came with others', () => {
    const evidence = [aFile(), aFile({ filename: 'other.jpg' })];
    const files = new Map([['other.jpg', [OTHER]]]);
    expect(flagsOf(aTransfer({ reference: undefined, evidence }), { ...NOTHING, files })).toEqual([
      { type: 'file-used-before', filename: 'other.jpg', orders: [OTHER] },
    ]);
  });

  test('a reference that others named', () => {
    const transfer = aTransfer({ reference: 'M123456' });
    expect(flagsOf(transfer, { ...NOTHING, reference: [OTHER] })).toEqual([
      { type: 'reference-used-before', orders: [OTHER] },
    ]);
  });

  test('a reference of ours with a wrong letter', () => {
    expect(flagsOf(aTransfer({ reference: 'ARB-222223' }), NOTHING)).toEqual([
      { type: 'reference-mistyped' },
    ]);
  });

  const received = (amountReceivedMinor?: number) => anApproval({ amountReceivedMinor });
  test.each<[string, TransferState, boolean]>([
    ['less came in', { status: 'approved', approval: received(8_000_000) }, true],
    ['more came in', { status: 'approved', approval: received(9_000_000) }, true],
    ['the first of two saw less', { status: 'pending', first: received(0) }, true],
    ['just that came in', { status: 'approved', approval: received(8_230_000) }, false],
    ['nobody said', { status: 'approved', approval: received() }, false],
  ])('that the amount differs: %s', (_what, state, differs) => {
    const flags = flagsOf(aTransfer({ reference: undefined, state }), NOTHING);
    expect(flags).toEqual(differs ? [{ type: 'amount-differs' }] : []);
  });
});
