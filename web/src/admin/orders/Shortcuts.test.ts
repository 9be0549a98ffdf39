import { expect, test } from '@jest/globals';
import { actionOf, rowAfter } from './Shortcuts.tsx';

const press = (key: string, more = {}) => ({ key, ctrlKey: false, metaKey: false, altKey: false, ...more });

const idle = { isTaken: false, isOnRow: false, lettersOn: true };

test('letter keys act anywhere on the list, arrows on its rows', () => {
  expect(actionOf(press('/'), idle)).toBe('search');
  expect(actionOf(press('j'), idle)).toBe('down');
  expect(actionOf(press('?'), idle)).toBe('help');
  expect(actionOf(press('ArrowDown'), idle)).toBeUndefined();
  expect(actionOf(press('ArrowUp'), { ...idle, isOnRow: true })).toBe('up');
});

test('ignores keys while typing and in browser shortcuts', () => {
  expect(actionOf(press('/'), { ...idle, isTaken: true })).toBeUndefined();
  expect(actionOf(press('k', { ctrlKey: true }), idle)).toBeUndefined();
});

test('letter keys can be switched off; arrows stay', () => {
  const off = { ...idle, isOnRow: true, lettersOn: false };
  expect(actionOf(press('j'), off)).toBeUndefined();
  expect(actionOf(press('ArrowDown'), off)).toBe('down');
});

test('row focus starts at the near end and stops at the last row', () => {
  expect(rowAfter(-1, 'down', 3)).toBe(0);
  expect(rowAfter(-1, 'up', 3)).toBe(2);
  expect(rowAfter(2, 'down', 3)).toBe(2);
  expect(rowAfter(1, 'up', 3)).toBe(0);
});
