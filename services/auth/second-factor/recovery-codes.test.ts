import { expect, test } from '@jest/globals';
import { newRecoveryCodes, plainRecoveryCode } from './recovery-codes.ts';

test('ten codes, each its own, that can be read aloud', () => {
  const codes = Array.from({ length: 20 }, newRecoveryCodes);
  expect(new Set(codes.flat()).size).toBe(200);
  for (const code of codes.flat()) expect(code).toMatch(/^([a-hjkmnp-z2-9]{4}-){3}[a-hjkmnp-z2-9]{4}$/);
});

test('a code is the same however it is typed, and never looks like an app’s', () => {
  const [code] = newRecoveryCodes();
  for (const typed of [code!.toUpperCase(), code!.replaceAll('-', ' '), ` ${code} `]) {
    expect(plainRecoveryCode(typed)).toBe(plainRecoveryCode(code!));
  }
  expect(plainRecoveryCode(code!)).toHaveLength(16);
});
