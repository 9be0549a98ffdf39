import { expect, test } from '@jest/globals';
import { stepsOf } from './timeline-steps.ts';

const photo = { filename: 'a.jpg', width: 4, height: 3, uploadedAt: '2026-12-12T16:00:00Z' };

test.each([
  ['pending', 0, 'current ahead ahead ahead ahead'],
  ['assigned', 0, 'done current ahead ahead ahead'],
  ['planted', 0, 'done done current ahead ahead'],
  ['planted', 2, 'done done done current ahead'],
  ['completed', 1, 'done done done current ahead'],
  ['assigned', 1, 'done current ahead ahead ahead'],
] as const)('%s with %i photos: %s', (status, count, states) => {
  const steps = stepsOf({ status, photos: Array.from({ length: count }, () => photo) });
  expect(steps.map(({ state }) => state).join(' ')).toBe(states);
});
