import { Problem } from '@arboleda/contracts/problems.ts';
import { AMOUNT_CHOICES } from '@arboleda/contracts/statement.ts';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { anApproval, aTransfer } from '../transfers/test/builders.ts';
import { decideLink, type LinkRequest } from './link.ts';

const clara = { role: 'admin', id: 'clara', name: 'Clara' } as const;
const diego = { role: 'admin', id: 'diego', name: 'Diego' } as const;
const at = '2026-11-23T10:00:00.000Z';

/** A row of 82,300 pesos, which is what the transfer of five trees asks for. */
const asked = (parts: Partial<LinkRequest> = {}): LinkRequest => ({
  transfer: aTransfer(),
  linkedMinor: 0,
  rows: [{ id: 'r1', amountMinor: 8_230_000, currency: 'COP' }],
  by: clara,
  at,
  rule: {},
  importers: [{ by: clara, at }],
  ...parts,
});
const rows = (...amounts: number[]) =>
  amounts.map((amountMinor, index) => ({ id: `r${index + 1}`, amountMinor, currency: 'COP' }));

function problemOf(request: LinkRequest): string {
  try {
    decideLink(request);
  } catch (error) {
    if (error instanceof Problem) return error.type;
    throw error;
  }
  return 'was decided';
}

const succeeded = (request: LinkRequest) => {
  const { decision } = decideLink(request);
  return decision.kind === 'changed' ? decision.events.map(({ data }) => data) : [];
};

describe('rows that add up to the order’s sum', () => {
  test('approve it', () => {
    const decided = decideLink(asked({ rows: rows(8_000_000, 200_000), linkedMinor: 30_000 }));
    expect(decided).toMatchObject({ outcome: 'approved', link: ['r1', 'r2'], receivedMinor: 8_230_000 });
    expect(decided.decision).toMatchObject({
      state: {
        status: 'approved',
        approval: { amountReceivedMinor: 8_230_000, onStatement: true, by: clara },
      },
    });
  });

  test('are only linked to an order that was approved by hand', () => {
    const transfer = aTransfer({ state: { status: 'approved', approval: anApproval() } });
    expect(decideLink(asked({ transfer }))).toMatchObject({
      outcome: 'approved',
      link: ['r1'],
      decision: { kind: 'unchanged' },
    });
    expect(problemOf(asked({ transfer, linkedMinor: 8_230_000 }))).toBe('transfer-already-approved');
  });
});

describe('less than the order’s sum', () => {
  const less = asked({ rows: rows(5_000_000) });

  test('is never approved without a choice', () => {
    expect(problemOf(less)).toBe('amount-choice-required');
  });

  test('waits for the rest', () => {
    expect(decideLink({ ...less, choice: 'wait' })).toMatchObject({
      outcome: 'waiting',
      link: ['r1'],
      decision: { kind: 'unchanged' },
    });
  });

  test('is to be given back', () => {
    expect(decideLink({ ...less, choice: 'give-back' })).toMatchObject({
      outcome: 'kept',
      link: [],
      keep: ['r1'],
    });
  });

  test('pays for fewer trees', () => {
    expect(succeeded({ ...less, choice: 'change-trees' })).toMatchObject([
      { trees: 3, treesAsked: 5, amountMinor: 5_000_000, packageType: 'custom' },
    ]);
    expect(problemOf(asked({ rows: rows(1_000_000), choice: 'change-trees' }))).toBe(
      'amount-choice-impossible',
    );
  });
});

describe('more than the order’s sum', () => {
  const more = asked({ rows: rows(230_000, 10_000_000) });

  test('is never approved without a choice, and nothing is to be waited for', () => {
    expect(problemOf(more)).toBe('amount-choice-required');
    expect(problemOf({ ...more, choice: 'wait' })).toBe('amount-choice-impossible');
  });

  test('approves the order, and the rest is to be given back', () => {
    expect(decideLink({ ...more, choice: 'give-back' })).toMatchObject({
      outcome: 'approved',
      link: ['r1'],
      split: { id: 'r2', linkMinor: 8_000_000, keepMinor: 2_000_000 },
      receivedMinor: 8_230_000,
    });
  });

  test('is refused when one of the rows is not needed', () => {
    expect(problemOf(asked({ rows: rows(8_230_000, 8_230_000), choice: 'give-back' }))).toBe(
      'amount-choice-impossible',
    );
  });

  test('pays for more trees', () => {
    expect(succeeded({ ...more, choice: 'change-trees' })).toMatchObject([
      { trees: 6, treesAsked: 5, amountMinor: 10_230_000 },
    ]);
  });
});

test('rows in another currency, or for a rejected order, are refused', () => {
  expect(problemOf(asked({ rows: [{ id: 'r1', amountMinor: 8_230_000, currency: 'USD' }] }))).toBe(
    'statement-other-currency',
  );
  const transfer = aTransfer({ state: { status: 'rejected', by: diego, at, reason: 'No money' } });
  expect(problemOf(asked({ transfer }))).toBe('transfer-already-rejected');
});

describe('where two admins are needed', () => {
  const rule = { secondAdminAboveUsd: 10 };

  test('whoever imported the statement is one of them', () => {
    const { outcome, decision } = decideLink(asked({ rule, importers: [{ by: diego, at }] }));
    expect(outcome).toBe('approved');
    expect(decision).toMatchObject({
      state: { first: { by: diego, onStatement: true }, approval: { by: clara } },
    });
  });

  test('one who imported and approves is one', () => {
    expect(decideLink(asked({ rule }))).toMatchObject({
      outcome: 'first-approved',
      decision: { state: { status: 'pending', first: { by: clara } } },
    });
  });

  test('a first approval by another counts as before', () => {
    const transfer = aTransfer({ state: { status: 'pending', first: anApproval({ by: diego }) } });
    expect(decideLink(asked({ rule, transfer }))).toMatchObject({ outcome: 'approved' });
  });

  test('trees change only when both are there', () => {
    const request = asked({ rule, rows: rows(10_000_000), choice: 'change-trees' });
    expect(problemOf(request)).toBe('second-admin-required');
    expect(decideLink({ ...request, importers: [{ by: diego, at }] }).outcome).toBe('approved');
  });
});

test('whatever comes and is chosen, what is linked is what the order costs, and no money is lost', () => {
  const request = fc.record({
    amounts: fc.array(fc.integer({ min: 1, max: 9_000_000 }), { minLength: 1, maxLength: 4 }),
    linkedMinor: fc.integer({ min: 0, max: 8_229_999 }),
    choice: fc.option(fc.constantFrom(...AMOUNT_CHOICES), { nil: undefined }),
  });
  fc.assert(
    fc.property(request, ({ amounts, linkedMinor, choice }) => {
      const own = asked({ rows: rows(...amounts), linkedMinor, choice });
      if (problemOf(own) !== 'was decided') return;
      const { link, keep, split, outcome, receivedMinor, changed, decision } = decideLink(own);
      const sum = (ids: readonly string[]) =>
        own.rows.filter(({ id }) => ids.includes(id)).reduce((total, row) => total + row.amountMinor, 0);
      const linked = linkedMinor + sum(link) + (split?.linkMinor ?? 0);
      expect(linked).toBe(receivedMinor);
      expect(linked + sum(keep) + (split?.keepMinor ?? 0)).toBe(
        linkedMinor + sum(own.rows.map(({ id }) => id)),
      );
      expect(decision.kind === 'changed').toBe(outcome === 'approved');
      if (outcome === 'approved') expect(linked).toBe((changed ?? own.transfer).purchase.amountMinor);
    }),
    { numRuns: 2_000 },
  );
});
