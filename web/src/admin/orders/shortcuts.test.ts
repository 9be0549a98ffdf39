import { expect, test } from '@jest/globals';
import { actOf, rowAfter } from './shortcuts.ts';

const press = (key: string, more = {}) => ({ key, ctrlKey: false, metaKey: false, altKey: false, ...more });
const idle = { isTaken: false, isOnRow: false, lettersOn: true };

test('letters act anywhere on the list, arrows on its rows', () => {
  expect(actOf(press('/'), idle)).toBe('search');
  expect(actOf(press('j'), idle)).toBe('down');
  expect(actOf(press('?'), idle)).toBe('help');
  expect(actOf(press('ArrowDown'), idle)).toBeUndefined();
  expect(actOf(press('ArrowUp'), { ...idle, isOnRow: true })).toBe('up');
});

test('who types, or asks the browser for something, is left alone', () => {
  expect(actOf(press('/'), { ...idle, isTaken: true })).toBeUndefined();
  expect(actOf(press('k', { ctrlKey: true }), idle)).toBeUndefined();
});

test('letters can be switched off; arrows stay', () => {
  const off = { ...idle, isOnRow: true, lettersOn: false };
  expect(actOf(press('j'), off)).toBeUndefined();
  expect(actOf(press('ArrowDown'), off)).toBe('down');
});

test('rows begin at the near end and do not run over', () => {
  expect(rowAfter(-1, 'down', 3)).toBe(0);
  expect(rowAfter(-1, 'up', 3)).toBe(2);
  expect(rowAfter(2, 'down', 3)).toBe(2);
  expect(rowAfter(1, 'up', 3)).toBe(0);
});
