import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { makeReference, referenceKey } from '../transfers/transfer.ts';
import { type Credit, creditsOf, isAccount } from './credit.ts';
import { matchRows, type Payable } from './match.ts';
import type { Movement } from './read/movement.ts';

const REFERENCES = [3, 8, 13].map((seed) => makeReference((below) => (seed * 17) % below));
const ACCOUNT = '123-456789-00';

const movement = fc.record({
  day: fc.constantFrom('2026-03-10', '2026-03-11', '2026-03-12'),
  amountMinor: fc.constantFrom(-500, 1_000, 2_000, 3_000),
  text: fc.oneof(
    fc.constantFrom(...REFERENCES.map((one) => `PAGO ${one.replace('-', '').toLowerCase()}`)),
    fc.constantFrom('a', 'b'),
  ),
});

/** A statement in the bank's order. `hasBalance`: the balance after each row tells all rows apart. */
const statement = fc
  .record({ rows: fc.array(movement, { maxLength: 8 }), hasBalance: fc.boolean() })
  .map(({ rows, hasBalance }) => {
    const sorted = rows.toSorted((a, b) => a.day.localeCompare(b.day));
    let balanceMinor = 10_000_000;
    const written: Movement[] = sorted.map((row) => {
      balanceMinor += row.amountMinor;
      return hasBalance ? { ...row, balanceMinor } : row;
    });
    // A debit between two equal credits may bring the balance back.
    const distinct = new Set(written.map((row) => JSON.stringify(row)));
    return { rows: written, hasBalance: hasBalance && distinct.size === written.length };
  });

const payable = fc.record({
  orderId: fc.constantFrom('a', 'b', 'c', 'd'),
  status: fc.constantFrom('pending' as const, 'approved' as const, 'rejected' as const),
  amountMinor: fc.constantFrom(1_000, 2_000, 3_000),
  reference: fc.constantFrom(...REFERENCES.map((one) => referenceKey(one))),
});

const payables = fc.uniqueArray(payable, { selector: ({ orderId }) => orderId }).map((of) =>
  of.map((one): Payable => ({
    ...one,
    currency: 'COP',
    customerName: 'Ana García',
    day: '2026-03-10',
    paidMinor: 0,
  })),
);

/** Stored rows after files, in the order in which they come. */
function storedAfter(files: readonly (readonly Movement[])[], orders: readonly Payable[]) {
  const credits = new Map<string, Credit>();
  for (const file of files) {
    for (const credit of creditsOf(ACCOUNT, file, 'COP'))
      if (!credits.has(credit.id)) credits.set(credit.id, credit);
  }
  const rows = [...credits.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return { rows, matches: [...matchRows(rows, orders)].toSorted(([a], [b]) => (a < b ? -1 : 1)) };
}

/** Only the place among equals of a day distinguishes other rows, so such files hold whole days. */
const cutAt = (
  { rows, hasBalance }: { rows: readonly Movement[]; hasBalance: boolean },
  at: number,
): number => {
  let cut = Math.min(at, rows.length);
  if (hasBalance) return cut;
  while (cut > 0 && cut < rows.length && rows[cut]!.day === rows[cut - 1]!.day) cut--;
  return cut;
};

test('any order and cutting of files ends in the same rows', () => {
  const how = fc.record({
    statement,
    payables,
    cuts: fc.array(fc.tuple(fc.nat(8), fc.nat(8)), { maxLength: 4 }),
    order: fc.array(fc.nat(100), { minLength: 6, maxLength: 6 }),
  });
  fc.assert(
    fc.property(how, ({ statement: one, payables: orders, cuts, order }) => {
      const places = [0, ...cuts.map(([at]) => cutAt(one, at)), one.rows.length].toSorted((a, b) => a - b);
      const parts = places.slice(1).map((end, index) => one.rows.slice(places[index], end));
      const overlapping = cuts.map(([from, to]) =>
        one.rows.slice(cutAt(one, from), Math.max(cutAt(one, from), cutAt(one, to))),
      );
      const files = [...parts, ...overlapping]
        .map((file, index) => ({ file, at: order[index % order.length]! }))
        .toSorted((a, b) => a.at - b.at)
        .map(({ file }) => file);
      expect(storedAfter(files, orders)).toEqual(storedAfter([one.rows], orders));
    }),
    { numRuns: 5_000 },
  );
});

test('no payment is linked twice, and the sums agree', () => {
  fc.assert(
    fc.property(statement, payables, ({ rows: movements }, orders) => {
      const { rows, matches } = storedAfter([movements, movements], orders);
      const credits = movements.filter(({ amountMinor }) => amountMinor > 0);
      const sum = (of: readonly { amountMinor: number }[]) =>
        of.reduce((total, one) => total + one.amountMinor, 0);
      expect([rows.length, sum(rows)]).toEqual([credits.length, sum(credits)]);
      const sure = matches.filter(([, { list }]) => list === 'sure');
      const paid = sure.map(([, { candidates }]) => candidates[0]!.orderId);
      expect(new Set(paid).size).toBe(paid.length);
      for (const [id, { candidates }] of sure) {
        const order = orders.find(({ orderId }) => orderId === candidates[0]!.orderId)!;
        const row = rows.find((one) => one.id === id)!;
        expect([order.status, order.amountMinor]).toEqual(['pending', row.amountMinor]);
        expect(row.references).toContain(order.reference);
      }
    }),
    { numRuns: 5_000 },
  );
});

test.each([
  ['123-456789-00', true],
  ['12345678900', true],
  ['000012345678900', true],
  ['CO1200012345678900', true],
  ['*******8900', true],
  ['123-456789-01', false],
  ['*******8901', false],
  ['8900', true],
  ['8901', false],
  ['*****00', true],
  ['*****01', false],
  ['**********', true],
  ['00', false],
  ['0', false],
  ['', false],
])('a file of the account %s is ours: %s', (named, isOurs) => {
  expect(isAccount(named, ACCOUNT)).toBe(isOurs);
});

test.each([
  ['0', '123-456789-00', false],
  ['00', '123-456789-00', false],
  ['12', '12', true],
  ['12', '0012', true],
  ['on request', '123-456789-00', false],
])('with the account %s configured, a file of %s is ours: %s', (configured, named, isOurs) => {
  expect(isAccount(named, configured)).toBe(isOurs);
});
