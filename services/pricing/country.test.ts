import { expect, test } from '@jest/globals';
import { visitorCountry } from './country.ts';

test.each([
  ['es-CO', 'CO'],
  ['es-CO,es;q=0.9,en-US;q=0.8,en;q=0.7', 'CO'],
  ['en;q=0.9, pt-BR', 'BR'],
  ['es;q=1.0, es-419;q=0.9, es-MX;q=0.8', 'MX'],
  ['en-US;q=0.5, en-GB;q=0.6', 'GB'],
  ['en-GB;q=0, es-AR;q=0.1', 'AR'],
  ['ES-es', 'ES'],
  ['zh-Hant-CL', 'CL'],
  ['de-DE', 'US'],
  ['es', 'US'],
  ['*', 'US'],
  ['', 'US'],
  [undefined, 'US'],
  [';;q=,,es-PE;q=one', 'US'],
  ['x'.repeat(5000), 'US'],
])('Accept-Language "%.40s" comes from %s', (acceptLanguage, code) => {
  expect(visitorCountry({ acceptLanguage }).code).toBe(code);
});

test('a trusted header says more than a language', () => {
  expect(visitorCountry({ trustedHeader: 'co', acceptLanguage: 'en-US' }).code).toBe('CO');
  expect(visitorCountry({ trustedHeader: 'DE', acceptLanguage: 'es-CO' }).code).toBe('US');
});

test.each(['XX', 'T1', '', 'Colombia'])('a trusted header that says "%s" does not know', (trustedHeader) => {
  expect(visitorCountry({ trustedHeader, acceptLanguage: 'es-CO' }).code).toBe('CO');
});
