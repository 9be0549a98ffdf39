import { expect, test } from '@jest/globals';
import { fixAtHand, locate, type Locating } from './locating.ts';

const fix = (accuracyMetres: number) => ({ latitude: 4.6, longitude: -75.4, accuracyMetres });
const searching: Locating = { step: 'searching' };

test('a rough fix is kept while a better one is waited for', () => {
  const rough = locate(searching, { type: 'fix', fix: fix(80) });
  expect(rough).toEqual({ step: 'searching', best: fix(80) });
  expect(locate(rough, { type: 'fix', fix: fix(200) })).toEqual(rough);
  expect(fixAtHand(rough)).toEqual(fix(80));
});

test('a good fix ends the search', () => {
  expect(locate(searching, { type: 'fix', fix: fix(8) })).toEqual({ step: 'found', fix: fix(8) });
});

test('after some seconds the best one counts, and none is said to be none', () => {
  expect(locate({ step: 'searching', best: fix(40) }, { type: 'out-of-patience' })).toEqual({
    step: 'found',
    fix: fix(40),
  });
  expect(locate(searching, { type: 'out-of-patience' })).toEqual({ step: 'failed', why: 'unavailable' });
});

test('a permission that is missing is told apart from satellites that are', () => {
  expect(locate({ step: 'searching', best: fix(40) }, { type: 'problem', why: 'denied' })).toEqual({
    step: 'failed',
    why: 'denied',
  });
  expect(locate({ step: 'searching', best: fix(40) }, { type: 'problem', why: 'unavailable' }).step).toBe(
    'found',
  );
});

test('what comes after the end changes nothing, and one can start again', () => {
  const found: Locating = { step: 'found', fix: fix(8) };
  expect(locate(found, { type: 'fix', fix: fix(3) })).toBe(found);
  expect(locate(found, { type: 'start' })).toEqual(searching);
});
