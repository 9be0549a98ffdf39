import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { answer } from '../testing/server.ts';
import { loadDynamicPrice } from './tree-price.ts';

const price = {
  currency: 'COP', country: 'Colombia', countryCode: 'CO', exchangeRate: 4115, basePrice: 5, localPrice: 20575,
  formatted: '$20.575,00', symbol: '$', flag: '🇨🇴', ratesAsOf: '2026-11-20', ratesAgeDays: 1,
}; // prettier-ignore
const HOUR_MS = 3_600_000;
let now = Date.parse('2026-11-21T15:00:00Z');

beforeEach(() => {
  jest.spyOn(Date, 'now').mockImplementation(() => now);
});
afterEach(() => {
  jest.restoreAllMocks();
  sessionStorage.clear();
});

test('the price is asked for once an hour, and kept in session storage with the moment it was read', async () => {
  const requests = answer({ 'GET /api/pricing/dynamic': () => ({ body: price }) });
  await loadDynamicPrice();
  expect(JSON.parse(sessionStorage.getItem('arboleda.pricing')!)).toEqual({ price, timestamp: now });
  now += HOUR_MS - 1;
  expect(await loadDynamicPrice()).toEqual(price);
  expect(requests).toHaveLength(1);
  now += 1;
  await loadDynamicPrice();
  expect(requests).toHaveLength(2);
});

test.each(['lost', 500] as const)('without an answer (%s) it is five dollars, silently', async (failure) => {
  const log = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  answer({ 'GET /api/pricing/dynamic': () => (failure === 'lost' ? 'lost' : { status: failure }) });
  expect(await loadDynamicPrice()).toMatchObject({
    currency: 'USD', country: 'United States', exchangeRate: 1, basePrice: 5, formatted: '$5.00',
  }); // prettier-ignore
  expect(log).toHaveBeenCalled();
  expect(sessionStorage.length).toBe(0);
});

test('a store that refuses does not keep the price from being shown', async () => {
  jest.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  answer({ 'GET /api/pricing/dynamic': () => ({ body: price }) });
  expect(await loadDynamicPrice()).toEqual(price);
});
