import { QUOTE_AUDIENCE, QUOTE_ISSUER } from '@arboleda/contracts/quote.ts';
import { describe, expect, test } from '@jest/globals';
import { type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { readQuote } from './quote.ts';

const secret = 'only pricing and payments know it';
const now = new Date('2026-11-21T12:00:00Z');
const nowS = now.getTime() / 1000;
const promise = { jti: 'q-1', currency: 'COP', country: 'CO', rate: 4115, ratesAsOf: '2026-11-20' } as const;
const claims: JWTPayload = { ...promise, iss: QUOTE_ISSUER, aud: QUOTE_AUDIENCE, exp: nowS + 1 };

const sign = (payload: JWTPayload, key = secret, alg = 'HS256') =>
  new SignJWT(payload).setProtectedHeader({ alg }).sign(new TextEncoder().encode(key));

test('a quote that pricing signed is what it promises', async () => {
  expect(await readQuote(await sign(claims), secret, now)).toEqual(promise);
});

test('a quote that has run out is told apart from a false one', async () => {
  await expect(readQuote(await sign({ ...claims, exp: nowS }), secret, now)).rejects.toMatchObject({
    type: 'quote-expired',
  });
});

describe('is no quote of ours', () => {
  const { exp: _exp, ...endless } = claims;
  const { jti: _jti, ...nameless } = claims;
  test.each<[string, () => Promise<string> | string]>([
    ['signed by somebody else', () => sign(claims, 'a secret that somebody made up')],
    ['signed by another method', () => sign(claims, `${secret}${'.'.repeat(40)}`, 'HS512')],
    ['not signed', () => new UnsecuredJWT(claims).encode()],
    ['without an end', () => sign(endless)],
    ['without a name', () => sign(nameless)],
    ['for somebody else', () => sign({ ...claims, aud: 'orders' })],
    ['of somebody else', () => sign({ ...claims, iss: 'orders' })],
    ['at no rate', () => sign({ ...claims, rate: 0 })],
    ['at a negative rate', () => sign({ ...claims, rate: -4115 })],
    ['in gold', () => sign({ ...claims, currency: 'XAU' })],
    ['nonsense', () => 'nonsense'],
    ['nothing', () => ''],
    ['changed on the way', async () => (await sign(claims)).replace(/\.[^.]+\./, `.${cheaper(claims)}.`)],
  ])('%s', async (_what, make) => {
    await expect(readQuote(await make(), secret, now)).rejects.toMatchObject({ type: 'quote-invalid' });
  });
});

const cheaper = (payload: JWTPayload): string =>
  Buffer.from(JSON.stringify({ ...payload, rate: 1 })).toString('base64url');
