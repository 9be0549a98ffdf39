import { describe, expect, test } from '@jest/globals';
import { CURRENCIES } from './countries.ts';
import {
  currencyDecimals,
  currencySymbol,
  formatMoney,
  formatWithSymbol,
  fromStripeAmount,
  localise,
  minorPerMajor,
  toStripeAmount,
} from './money.ts';

/** Numbers that are the same on every run, spread over [0, 1). */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ;) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    yield state / 2_147_483_648;
  }
}
const plain = (text: string) => text.replace(/\u00a0|\u202f/g, ' ');

describe('minor units', () => {
  test('yen and won are whole, everything else has hundredths', () => {
    for (const currency of CURRENCIES) {
      const whole = currency === 'JPY' || currency === 'KRW';
      expect([currency, currencyDecimals(currency), minorPerMajor(currency)]).toEqual(
        whole ? [currency, 0, 1] : [currency, 2, 100],
      );
    }
  });
});

describe('the border to Stripe', () => {
  test.each([
    ['USD', 2000, 2000],
    ['COP', 8_230_000, 8_230_000],
    ['CLP', 468_000, 4680],
    ['PYG', 3_992_500, 39_925],
    ['JPY', 724, 724],
    ['KRW', 6810, 6810],
  ])('%s %d of ours are %d at Stripe', (currency, ours, stripes) => {
    expect(toStripeAmount(ours, currency)).toBe(stripes);
    expect(fromStripeAmount(stripes, currency)).toBe(ours);
  });

  test('pesos of Chile that have cents cannot be charged', () => {
    expect(() => toStripeAmount(468_050, 'CLP')).toThrow(RangeError);
  });

  test('there and back again is the same, for every currency', () => {
    const random = numbers(1);
    for (const currency of CURRENCIES) {
      for (let i = 0; i < 200; i++) {
        const stripes = Math.floor(random.next().value * 1e8);
        expect(toStripeAmount(fromStripeAmount(stripes, currency), currency)).toBe(stripes);
      }
    }
  });
});

describe('localise', () => {
  test.each([
    [500, 1, 'USD', 500],
    [500, 4115, 'COP', 2_057_500],
    [2000, 4115, 'COP', 8_230_000],
    [500, 936.4, 'CLP', 468_200],
    [500, 7985.3, 'PYG', 3_992_700],
    [500, 144.83, 'JPY', 724],
    [500, 1.005, 'EUR', 503],
    [500, 0.0001, 'EUR', 0],
  ])('%d cents at %d are %s %d', (cents, rate, currency, minor) => {
    expect(localise(cents, rate, currency)).toBe(minor);
  });

  test('is always an amount that Stripe can charge, within half a unit of the exact one', () => {
    const random = numbers(2);
    for (const currency of CURRENCIES) {
      const smallestMinor = currency === 'CLP' || currency === 'PYG' ? 100 : 1;
      for (let i = 0; i < 300; i++) {
        const cents = 1 + Math.floor(random.next().value * 5_000_000);
        const rate = 10 ** (random.next().value * 6 - 2);
        const minor = localise(cents, rate, currency);
        expect(Number.isInteger(minor)).toBe(true);
        expect(() => toStripeAmount(minor, currency)).not.toThrow();
        const exact = (cents / 100) * rate * minorPerMajor(currency);
        expect(Math.abs(minor - exact)).toBeLessThanOrEqual(smallestMinor / 2 + 1e-4);
      }
    }
  });

  test('more dollars never cost less', () => {
    const random = numbers(3);
    for (const currency of CURRENCIES) {
      const rate = 10 ** (random.next().value * 5 - 1);
      let last = -1;
      for (let cents = 0; cents < 3000; cents += 7) {
        const minor = localise(cents, rate, currency);
        expect(minor).toBeGreaterThanOrEqual(last);
        last = minor;
      }
    }
  });
});

describe('writing money', () => {
  test.each([
    [8_230_000, 'COP', 'en', 'COP 82,300.00'],
    [8_230_000, 'COP', 'es', 'COP 82.300,00'],
    [8_230_000, 'COP', 'es-ES', 'COP 82.300,00'],
    [500, 'USD', 'en', 'USD 5.00'],
    [500, 'USD', 'es', 'USD 5,00'],
    [724, 'JPY', 'en', 'JPY 724'],
    [500, 'EUR', 'de-DE', 'EUR 5,00'],
    [-500, 'EUR', 'de-DE', 'EUR -5,00'],
    [123_456, 'EUR', 'fr-FR', 'EUR 1 234,56'],
    [0, 'BRL', 'pt-BR', 'BRL 0,00'],
  ])('%d %s for %s reads "%s"', (amountMinor, currency, locale, text) => {
    expect(plain(formatMoney(amountMinor, currency, locale))).toBe(text);
  });

  test('the amount and its code never come apart at the end of a line', () => {
    for (const locale of ['en', 'es', 'es-ES', 'de-DE', 'fr-FR']) {
      expect(formatMoney(8_230_000, 'COP', locale)).not.toContain(' ');
    }
  });

  test.each([
    [500, 'USD', 'en', '$5.00'],
    [2750, 'BRL', 'pt-BR', 'R$27,50'],
    [2_057_500, 'COP', 'es', '$20.575,00'],
    [724, 'JPY', 'en', '¥724'],
    [500, 'NOK', 'en', 'kr 5.00'],
    [500, 'XYZ', 'en', 'XYZ 5.00'],
  ])('%d %s for %s with its symbol is "%s"', (amountMinor, currency, locale, text) => {
    expect(formatWithSymbol(amountMinor, currency, locale)).toBe(text);
  });

  test('every currency that can be charged has a symbol of its own', () => {
    for (const currency of CURRENCIES) expect(currencySymbol(currency)).not.toContain(currency);
  });
});
