import { QUOTE_SECONDS, quoteClaims } from '@arboleda/contracts/quote.ts';
import { expect, test } from '@jest/globals';
import { decodeJwt, jwtVerify } from 'jose';
import { signQuote } from './quote.ts';

const secret = 'only pricing and payments know it';
const now = new Date('2026-11-21T12:00:00.400Z');
const promise = {
  jti: 'quote-1',
  currency: 'COP',
  country: 'CO',
  rate: 4115,
  ratesAsOf: '2026-11-20',
} as const;

test('a quote says what it promises, for thirty minutes', async () => {
  const { quote, expiresAt } = await signQuote(promise, secret, now);
  const { payload } = await jwtVerify(quote, new TextEncoder().encode(secret), { currentDate: now });
  expect(quoteClaims.parse(payload)).toEqual(promise);
  expect(payload.exp! - payload.iat!).toBe(QUOTE_SECONDS);
  expect(expiresAt).toBe('2026-11-21T12:30:00.000Z');
});

test('a quote that nobody looked at names no country', async () => {
  const { country: _country, ...unseen } = promise;
  const { quote } = await signQuote(unseen, secret, now);
  expect(decodeJwt(quote)).not.toHaveProperty('country');
});
