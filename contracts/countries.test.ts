import { describe, expect, test } from '@jest/globals';
import { COUNTRIES, countryOf, CURRENCIES } from './countries.ts';

describe('countries', () => {
  test('are the fifteen that we know, each once', () => {
    const codes = COUNTRIES.map(({ code }) => code);
    expect([...codes].sort().join(' ')).toBe('AR BO BR CA CL CO EC ES GB MX PE PY US UY VE');
  });

  test('pay in a currency that can be charged', () => {
    for (const { currency } of COUNTRIES) expect(CURRENCIES).toContain(currency);
  });

  test('are what the rest of the world calls them', () => {
    const names = new Intl.DisplayNames('en', { type: 'region' });
    for (const { code, name } of COUNTRIES) expect(names.of(code)).toBe(name);
  });

  test('have their flag', () => {
    expect(countryOf('CO').flag).toBe('🇨🇴');
    expect(countryOf('US').flag).toBe('🇺🇸');
    expect(new Set(COUNTRIES.map(({ flag }) => flag)).size).toBe(COUNTRIES.length);
  });

  test.each([
    ['CO', 'COP'],
    ['co', 'COP'],
    ['ES', 'EUR'],
    ['GB', 'GBP'],
    ['VE', 'USD'],
    ['EC', 'USD'],
  ])('%s pays in %s', (code, currency) => {
    expect(countryOf(code).currency).toBe(currency);
  });

  test.each([['DE'], [''], ['Colombia'], ['__proto__'], [undefined]])('%s is the United States', (code) => {
    expect(countryOf(code).code).toBe('US');
  });

  test('currencies are those that people may be charged in, each once', () => {
    expect(new Set(CURRENCIES).size).toBe(CURRENCIES.length);
    for (const currency of CURRENCIES) expect(currency).toMatch(/^[A-Z]{3}$/);
  });
});
