import { expect, test } from '@jest/globals';
import { nextVisit, stepsOf } from './OrderTimeline.tsx';

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

test('a waiting transfer has no completed step', () => {
  const manualPayment = { verificationStatus: 'pending', evidenceCount: 1 } as const;
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
    currency: 'USD' as const,
    purchasedAt: '2026-12-13T10:00:00Z',
    visits: [
      visit(1, '2027-03-12T10:00:00Z', '2027-03-14T10:00:00Z'),
      visit(3, '2027-12-12T10:00:00Z'),
      visit(2, '2027-06-12T10:00:00Z'),
    ],
  },
];

test('the first completed growth update reaches the last step, and the next one is announced', () => {
  expect(states({ status: 'completed', photos: [photo], growth })).toBe('done done done done current');
  expect(nextVisit(growth)?.number).toBe(2);
  expect(nextVisit([])).toBeUndefined();
  expect(nextVisit([{ ...growth[0]!, stoppedAt: '2027-04-01T10:00:00Z' }])).toBeUndefined();
});
