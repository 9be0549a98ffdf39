import { expect, test } from '@jest/globals';
import { acceptedLanguage, askedLanguage, chooseLanguage } from './language.ts';

test.each([
  [undefined, 'en'],
  ['', 'en'],
  ['es', 'es'],
  ['ES-co', 'es'],
  ['fr-FR, de', 'en'],
  ['fr, es;q=0.3', 'es'],
  ['en;q=0.2, es;q=0.9', 'es'],
  ['es;q=0, en;q=0.1', 'en'],
  ['es;q=nonsense', 'en'],
  ['est', 'en'],
])('Accept-Language %j reads as %s', (header, language) => {
  expect(acceptedLanguage(header)).toBe(language);
});

test('the visitor’s own choice wins over the browser’s', () => {
  expect(chooseLanguage('x=1; arboleda.language=es', 'en')).toBe('es');
  expect(chooseLanguage('arboleda.language=fr', 'es')).toBe('es');
  expect(chooseLanguage('my-arboleda.language=es', 'en')).toBe('en');
});

test.each([
  ['/?lang=es', 'es'],
  ['/plant-trees?ref=mail&lang=en', 'en'],
  ['/?lang=fr', undefined],
  ['/?slang=es', undefined],
  ['/lang=es', undefined],
  [undefined, undefined],
])('the address %j asks for %s', (target, language) => {
  expect(askedLanguage(target)).toBe(language);
});
