import { describe, expect, test } from '@jest/globals';
import { breBKeys, transfersConfig } from './config.ts';

/** The first bytes of a PNG, which is all that is looked at. */
const PICTURE = Buffer.from('\x89PNG\r\n\x1a\nrest', 'latin1').toString('base64');

describe('BRE_B_KEYS', () => {
  test('names the key of a bank’s account', () => {
    expect([...breBKeys.parse('bancolombia|@arboleda')]).toEqual([['bancolombia', { key: '@arboleda' }]]);
  });

  test('may hold the bank’s QR code', () => {
    expect(breBKeys.parse(` bancolombia | 3001234567 | ${PICTURE} ;`).get('bancolombia')).toEqual({
      key: '3001234567',
      qr: `data:image/png;base64,${PICTURE}`,
    });
  });

  test('may be empty', () => {
    expect(breBKeys.parse('').size).toBe(0);
  });

  test.each([
    ['an unknown bank', 'nobank|@arboleda'],
    ['no key', 'bancolombia|'],
    ['markup for a key', 'bancolombia|<b>'],
    ['a picture that is no PNG', `bancolombia|@arboleda|${Buffer.from('GIF89a').toString('base64')}`],
    [
      'a picture of more than 100 kB',
      `bancolombia|@arboleda|${Buffer.concat([Buffer.from(PICTURE, 'base64'), Buffer.alloc(100_000)]).toString('base64')}`,
    ],
  ])('is refused with %s', (_what, value) => {
    expect(breBKeys.safeParse(value).success).toBe(false);
  });
});

test.each([
  ['is off by default', {}, undefined],
  ['is off at 0', { STATEMENT_AUTO_APPROVE_UP_TO_USD: '0' }, undefined],
  ['is on up to a sum', { STATEMENT_AUTO_APPROVE_UP_TO_USD: '25' }, 25],
])('approval by an import %s', (_what, env, upTo) => {
  expect(transfersConfig(env).autoApproveUpToUsd).toBe(upTo);
});

test('approval by an import up to a negative sum is refused', () => {
  expect(() => transfersConfig({ STATEMENT_AUTO_APPROVE_UP_TO_USD: '-1' })).toThrow(
    /STATEMENT_AUTO_APPROVE_UP_TO_USD/,
  );
});
