import { describe, expect, test } from '@jest/globals';
import { isMistyped, makeReference, referenceKey } from './reference.ts';

const many = Array.from({ length: 300 }, () => makeReference());

describe('a reference of ours', () => {
  test('is short and has nothing that is taken for something else', () => {
    for (const one of many) expect(one).toMatch(/^ARB-[2-9ACDEFGHJKMNPQRTUVWXYZ]{6}$/);
  });

  test('is rarely the same twice', () => {
    expect(new Set(many).size).toBeGreaterThan(295);
  });

  test('is not mistyped as it was suggested, nor in small letters, without the dash or with blanks', () => {
    for (const one of many) {
      for (const typed of [one, one.toLowerCase(), one.replace('-', ''), ` ${one.replace('-', ' ')} `]) {
        expect(isMistyped(typed)).toBe(false);
      }
    }
  });

  test('is mistyped with any one character wrong', () => {
    for (const one of many.slice(0, 20)) {
      for (let at = 4; at < one.length; at++) {
        for (const other of '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ') {
          if (other === one[at]) continue;
          expect(isMistyped(one.slice(0, at) + other + one.slice(at + 1))).toBe(true);
        }
      }
    }
  });

  test('is mistyped with two neighbours changed', () => {
    for (const one of many) {
      for (let at = 4; at < one.length - 1; at++) {
        const [left, right] = [one[at]!, one[at + 1]!];
        if (left === right) continue;
        expect(isMistyped(one.slice(0, at) + right + left + one.slice(at + 2))).toBe(true);
      }
    }
  });
});

describe('any reference', () => {
  test.each([
    ['M-123 456', 'M123456'],
    ['m123456', 'M123456'],
    ['ｍ１２３４５６', 'M123456'],
    ['Ñandú 2026', 'ÑANDÚ2026'],
    ['1', undefined],
    ['n/a', undefined],
    ['----', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('%j is compared as %j', (reference, key) => {
    expect(referenceKey(reference)).toBe(key);
  });

  test.each(['M123456', 'ARB', 'ARB-1', 'ARBOLEDA 5', undefined])(
    '%j is not mistaken for one of ours',
    (reference) => {
      expect(isMistyped(reference)).toBe(false);
    },
  );
});
