import { expect, test } from '@jest/globals';
import { acceptedLanguage, chooseLanguage } from './language.ts';

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
