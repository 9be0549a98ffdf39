import { describe, expect, test } from '@jest/globals';
import { certificateCode, CODE_BYTES, CODE_SYMBOLS, parseCertificateCode } from './certificate-code.ts';

const CODES = Array.from({ length: 500 }, () =>
  certificateCode(crypto.getRandomValues(new Uint8Array(CODE_BYTES))),
);
const withoutHyphens = (code: string) => code.replaceAll('-', '');

describe('the code of a certificate', () => {
  test('has three groups of four symbols, without letters that look like others', () => {
    for (const code of CODES) expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){2}[0-9A-HJKMNP-TV-Z]{4}$/);
    expect(new Set(CODES).size).toBe(CODES.length);
  });

  test('is read in any case, with blanks or other dashes, and with O, I and L', () => {
    for (const code of CODES) {
      expect(parseCertificateCode(code)).toBe(code);
      expect(parseCertificateCode(` ${withoutHyphens(code).toLowerCase()} `)).toBe(code);
      expect(parseCertificateCode(code.replaceAll('-', ' – '))).toBe(code);
      expect(parseCertificateCode(code.replaceAll('0', 'o').replaceAll('1', 'l'))).toBe(code);
      expect(parseCertificateCode(code.replaceAll('0', 'O').replaceAll('1', 'I'))).toBe(code);
    }
  });

  test('shows every single wrong symbol', () => {
    for (const code of CODES.slice(0, 100)) {
      const symbols = [...withoutHyphens(code)];
      symbols.forEach((right, at) => {
        for (const wrong of CODE_SYMBOLS)
          if (wrong !== right)
            expect(parseCertificateCode(symbols.with(at, wrong).join(''))).toBe('mistyped');
      });
    }
  });

  test('shows every swap of two neighbours', () => {
    for (const code of CODES) {
      const symbols = [...withoutHyphens(code)];
      for (let at = 1; at < symbols.length; at++) {
        const [left, right] = [symbols[at - 1]!, symbols[at]!];
        const swapped = symbols
          .with(at - 1, right)
          .with(at, left)
          .join('');
        if (left !== right) expect(parseCertificateCode(swapped)).toBe('mistyped');
      }
    }
  });

  test.each(['', 'K7QF', 'UUUU-UUUU-UUUU', '0000-0000-00000', 'ñ000-0000-0000', '0000_0000_0000'])(
    'is none: %p',
    (typed) => expect(parseCertificateCode(typed)).toBe('mistyped'),
  );

  test('is made of eleven bytes', () => {
    expect(() => certificateCode(new Uint8Array(10))).toThrow('11 bytes');
  });
});
