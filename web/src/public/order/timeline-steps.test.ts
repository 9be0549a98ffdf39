import { expect, test } from '@jest/globals';
import { nextVisit, stepsOf } from './timeline-steps.ts';

const photo = { filename: 'a.jpg', width: 4, height: 3, uploadedAt: '2026-12-12T16:00:00Z' };
const states = (order: Parameters<typeof stepsOf>[0]) =>
  stepsOf(order)
    .map(({ state }) => state)
    .join(' ');

test.each([
  ['pending', 0, 'current ahead ahead ahead ahead'],
  ['assigned', 0, 'done current ahead ahead ahead'],
  ['planted', 0, 'done done current ahead ahead'],
  ['planted', 2, 'done done done current ahead'],
  ['completed', 1, 'done done done current ahead'],
  ['assigned', 1, 'done current ahead ahead ahead'],
] as const)('%s with %i photos: %s', (status, count, expected) => {
  expect(states({ status, photos: Array.from({ length: count }, () => photo) })).toBe(expected);
});

test('while the money of a transfer is looked for nothing is done yet', () => {
  const manualPayment = { verificationStatus: 'pending' } as const;
  expect(states({ status: 'pending', photos: [], manualPayment })).toBe('ahead ahead ahead ahead ahead');
});

const visit = (number: number, dueAt: string, completedAt?: string) => ({
  number,
  of: 3,
  dueAt,
  completedAt,
});
const growth = [
  {
    photoPackageType: 'first_year' as const,
    purchasedAt: '2026-12-13T10:00:00Z',
    visits: [
      visit(1, '2027-03-12T10:00:00Z', '2027-03-14T10:00:00Z'),
      visit(3, '2027-12-12T10:00:00Z'),
      visit(2, '2027-06-12T10:00:00Z'),
    ],
  },
];

test('the first growth update that is done takes the order to its last step; the next one is told', () => {
  expect(states({ status: 'completed', photos: [photo], growth })).toBe('done done done done current');
  expect(nextVisit(growth)?.number).toBe(2);
  expect(nextVisit([])).toBeUndefined();
});
