import { describe, expect, test } from '@jest/globals';
import { COUNTRIES, countryOf, CURRENCIES } from './countries.ts';
import {
  currencyDecimals,
  currencySymbol,
  formatMoney,
  formatWithSymbol,
  fromStripeAmount,
  localise,
  maxCardAmount,
  minorPerMajor,
  toStripeAmount,
} from './money.ts';
import {
  betterPackage,
  CUSTOM_DEFAULT_TREES,
  FIXED_PACKAGES,
  MAX_TREES,
  PACKAGE_TYPES,
  PHOTO_PACKAGES,
  priceOf,
} from './packages.ts';

/** Deterministic pseudo-random numbers in [0, 1). */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ;) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    yield state / 2_147_483_648;
  }
}

const plain = (text: string) => text.replace(/\u00a0|\u202f/g, ' ');

describe('minor units', () => {
  test('yen and won are whole, all other currencies have hundredths', () => {
    for (const currency of CURRENCIES) {
      const whole = currency === 'JPY' || currency === 'KRW';
      expect([currency, currencyDecimals(currency), minorPerMajor(currency)]).toEqual(
        whole ? [currency, 0, 1] : [currency, 2, 100],
      );
    }
  });
});

describe('amounts for Stripe', () => {
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

  test('Chilean pesos with cents cannot be charged', () => {
    expect(() => toStripeAmount(468_050, 'CLP')).toThrow(RangeError);
  });

  test('a round trip keeps the amount in every currency', () => {
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

  test('prices are whole pesos, whatever the rate', () => {
    expect(localise(500, 4115.77, 'COP')).toBe(2_057_900);
    expect(priceOf('grove', 5, 4115.77, 'COP')!.amountMinor).toBe(8_231_500);
  });

  test('always returns a chargeable amount within half a unit of the exact one', () => {
    const random = numbers(2);
    for (const currency of CURRENCIES) {
      const smallestMinor = ['CLP', 'PYG', 'COP'].includes(currency) ? 100 : 1;
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

describe('formatting money', () => {
  test.each([
    [8_230_000, 'COP', 'en', 'COP 82,300'],
    [8_230_000, 'COP', 'es', 'COP 82.300'],
    [2_057_550, 'COP', 'es', 'COP 20.575,50'],
    [500, 'USD', 'en', 'USD 5.00'],
    [500, 'USD', 'es', 'USD 5,00'],
    [724, 'JPY', 'en', 'JPY 724'],
    [-500, 'EUR', 'es', '-EUR 5,00'],
    [123_456_789, 'EUR', 'en', 'EUR 1,234,567.89'],
    [0, 'BRL', 'es', 'BRL 0,00'],
  ] as const)('%d %s for %s reads "%s"', (amountMinor, currency, locale, text) => {
    expect(plain(formatMoney(amountMinor, currency, locale))).toBe(text);
  });

  test('reads as Intl would format it', () => {
    const random = numbers(4);
    for (const [language, locale] of [
      ['en', 'en-US'],
      ['es', 'es-CO'],
    ] as const) {
      for (const currency of CURRENCIES) {
        const digits = currencyDecimals(currency);
        const intl = new Intl.NumberFormat(locale, {
          style: 'currency',
          currency,
          currencyDisplay: 'code',
          minimumFractionDigits: digits,
          maximumFractionDigits: digits,
        });
        for (let i = 0; i < 50; i++) {
          const minor = Math.round(10 ** (random.next().value * 12)) - 1000;
          const text = formatMoney(minor, currency, language);
          const isWhole = currency === 'COP' && minor % 100 === 0;
          const expected = intl.format(minor / minorPerMajor(currency));
          expect(text).toBe(isWhole ? expected.replace(/[.,]00$/, '') : expected);
          expect(text).not.toContain(' ');
        }
      }
    }
  });

  test.each([
    [500, 'USD', 'en', '$5.00'],
    [2750, 'BRL', 'es', 'R$27,50'],
    [2_057_500, 'COP', 'es', '$20.575'],
    [724, 'JPY', 'en', '¥724'],
    [500, 'NOK', 'en', 'kr 5.00'],
    [500, 'XYZ', 'en', 'XYZ 5.00'],
  ] as const)('%d %s for %s with its symbol is "%s"', (amountMinor, currency, locale, text) => {
    expect(formatWithSymbol(amountMinor, currency, locale)).toBe(text);
  });

  test('every chargeable currency has its own symbol', () => {
    for (const currency of CURRENCIES) expect(currencySymbol(currency)).not.toContain(currency);
  });
});

describe('prices in dollars', () => {
  test.each([
    ['individual', 1, 500, 500, 0],
    ['grove', 5, 2000, 400, 500],
    ['patch', 20, 7000, 350, 3000],
    ['custom', 1, 500, 500, 0],
    ['custom', 10, 5000, 500, 0],
    ['custom', 10_000, 5_000_000, 500, 0],
  ] as const)('%s of %d trees costs %d cents', (type, trees, amountMinor, unitAmountMinor, savingMinor) => {
    expect(priceOf(type, trees, 1, 'USD')).toEqual({ trees, amountMinor, unitAmountMinor, savingMinor });
  });
});

describe('prices elsewhere', () => {
  test('a grove at 4115 pesos a dollar costs 82,300 pesos and saves one tree', () => {
    expect(priceOf('grove', 5, 4115, 'COP')).toEqual({
      trees: 5,
      amountMinor: 8_230_000,
      unitAmountMinor: 1_646_000,
      savingMinor: 2_057_500,
    });
  });

  test('a custom count costs exactly its unit price times the count, in every currency', () => {
    for (const currency of CURRENCIES) {
      for (const rate of [0.7413, 1, 18.437, 936.61, 4115.77]) {
        const one = priceOf('custom', 1, rate, currency)!;
        for (const trees of [2, 3, 7, 10, 999, MAX_TREES]) {
          expect(priceOf('custom', trees, rate, currency)!.amountMinor).toBe(one.amountMinor * trees);
        }
      }
    }
  });

  test('Stripe can charge every price exactly, and no package costs more than its trees bought singly', () => {
    for (const currency of CURRENCIES) {
      for (let rate = 0.31; rate < 9000; rate *= 1.237) {
        const single = priceOf('individual', 1, rate, currency)!.amountMinor;
        for (const type of PACKAGE_TYPES) {
          const trees = type === 'custom' ? 10 : FIXED_PACKAGES[type].trees;
          const price = priceOf(type, trees, rate, currency)!;
          expect(() => toStripeAmount(price.amountMinor, currency)).not.toThrow();
          expect(price.amountMinor + price.savingMinor).toBe(single * trees);
        }
      }
    }
  });
});

describe('packages that do not exist', () => {
  test.each([
    ['individual', 2],
    ['grove', 4],
    ['grove', 20],
    ['patch', 5],
    ['custom', 0],
    ['custom', -1],
    ['custom', 1.5],
    ['custom', MAX_TREES + 1],
    ['custom', 1e9],
    ['custom', Number.NaN],
    ['custom', Number.POSITIVE_INFINITY],
  ] as const)('%s of %d trees', (type, trees) => {
    expect(priceOf(type, trees, 1, 'USD')).toBeUndefined();
  });
});

describe('a package that is better than a custom count', () => {
  test.each([
    [4, 'grove', false],
    [5, 'grove', true],
    [14, 'patch', false],
    [15, 'patch', true],
    [19, 'patch', true],
    [20, 'patch', true],
  ])('instead of %i trees: %s', (trees, packageType, isCheaper) => {
    expect(betterPackage(trees, 1, 'USD')).toMatchObject({ packageType, isCheaper });
    expect(betterPackage(trees, 4115, 'COP')).toMatchObject({ packageType, isCheaper });
  });

  test.each([1, 2, 3, 6, 10, 13, 21, MAX_TREES])('there is none instead of %i trees', (trees) => {
    expect(betterPackage(trees, 1, 'USD')).toBeUndefined();
  });

  test('never costs more and never has fewer trees, whatever the rate', () => {
    for (const currency of CURRENCIES)
      for (const rate of [0.7413, 1, 18.437, 936.61, 4115.77])
        for (let trees = 1; trees <= 25; trees++) {
          const better = betterPackage(trees, rate, currency);
          const own = priceOf('custom', trees, rate, currency)!;
          if (!better) continue;
          expect(better.trees).toBeGreaterThanOrEqual(trees);
          expect(better.amountMinor).toBeLessThanOrEqual(own.amountMinor);
        }
  });

  test('does not exist for the number that the page fills in, nor do several packages beat it', () => {
    const own = priceOf('custom', CUSTOM_DEFAULT_TREES, 1, 'USD')!.amountMinor;
    expect(CUSTOM_DEFAULT_TREES).toBe(3);
    expect(betterPackage(CUSTOM_DEFAULT_TREES, 1, 'USD')).toBeUndefined();
    for (const { trees, priceCents } of Object.values(FIXED_PACKAGES))
      if (trees > 1) expect(priceCents).toBeGreaterThan(own);
  });
});

describe('photo packages', () => {
  test('have as many updates as they promise', () => {
    expect(PHOTO_PACKAGES.first_year.months).toEqual([3, 6, 12]);
    expect(PHOTO_PACKAGES.three_year.months).toHaveLength(7);
    expect(PHOTO_PACKAGES.lifetime.months).toHaveLength(10);
    expect(Math.max(...PHOTO_PACKAGES.lifetime.months)).toBe(5 * 12);
  });

  test('visit a tree at most once a month, and in order', () => {
    for (const { months } of Object.values(PHOTO_PACKAGES)) {
      expect([...new Set(months)].sort((a, b) => a - b)).toEqual([...months]);
    }
  });
});

describe('countries', () => {
  test('are the fifteen known countries, each once', () => {
    const codes = COUNTRIES.map(({ code }) => code);
    expect([...codes].sort().join(' ')).toBe('AR BO BR CA CL CO EC ES GB MX PE PY US UY VE');
  });

  test('pay in a chargeable currency', () => {
    for (const { currency } of COUNTRIES) expect(CURRENCIES).toContain(currency);
  });

  test('have their English names', () => {
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

  test('currencies are the chargeable ones, each once', () => {
    expect(new Set(CURRENCIES).size).toBe(CURRENCIES.length);
    for (const currency of CURRENCIES) expect(currency).toMatch(/^[A-Z]{3}$/);
  });
});

test.each([
  ['USD', 99_999_999],
  ['COP', 9_999_999_999],
  ['JPY', 9_999_999_999],
  ['CLP', 9_999_999_900],
  ['KRW', 99_999_999],
])('one card payment takes at most what Stripe takes: %s', (currency, most) => {
  expect(maxCardAmount(currency)).toBe(most);
});
