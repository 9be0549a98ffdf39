import { expect, test } from '@jest/globals';
import { openLimits } from './limits.ts';

test('as many are taken as there are hands, and more when one is given back', () => {
  const limits = openLimits();
  limits.set('mail', 2);
  limits.set('variants', 1);
  expect([limits.take('mail'), limits.take('mail'), limits.take('mail')]).toEqual([true, true, false]);
  expect(limits.full()).toEqual(['mail']);
  limits.give('mail');
  expect(limits.full()).toEqual([]);
  expect([limits.take('mail'), limits.take('variants')]).toEqual([true, true]);
  expect(limits.full()).toEqual(['mail', 'variants']);
});

test('what is in hand still counts when the limit is set anew', () => {
  const limits = openLimits();
  limits.set('mail', 1);
  limits.take('mail');
  limits.set('mail', 2);
  expect([limits.take('mail'), limits.take('mail')]).toEqual([true, false]);
});

test('what was never declared cannot be taken', () => {
  expect(() => openLimits().take('unknown')).toThrow('unknown');
});
