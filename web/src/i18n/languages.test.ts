import { afterEach, expect, test } from '@jest/globals';
import { detectLanguage, localeOf, saveLanguage, visitorsLanguage } from './languages.ts';

afterEach(() => localStorage.clear());

test.each([
  [{ saved: 'es', browser: ['en-US'], page: 'en' }, 'es'],
  [{ saved: null, browser: ['es-419', 'en'], page: 'en' }, 'es'],
  [{ saved: null, browser: ['fr-FR', 'es'], page: 'en' }, 'es'],
  [{ saved: null, browser: ['fr-FR'], page: 'es' }, 'es'],
  [{ saved: 'tlh', browser: ['fr-FR'], page: '' }, 'en'],
])('saved choice, then browser, then page, then English: %j → %s', (signs, language) => {
  expect(detectLanguage(signs)).toBe(language);
});

test('a choice is kept for the app and, as a cookie, for the server of pages', () => {
  saveLanguage('es');
  expect(localStorage.getItem('arboleda.language')).toBe('es');
  expect(document.cookie).toContain('arboleda.language=es');
});

test('a link that names a language is a choice', () => {
  saveLanguage('en');
  history.replaceState(null, '', '/?lang=es');
  expect(visitorsLanguage()).toBe('es');
  history.replaceState(null, '', '/');
  expect(visitorsLanguage()).toBe('es');
});

test('Spanish follows Colombia', () => {
  expect(localeOf('es')).toBe('es-CO');
  expect(localeOf('es-MX')).toBe('es-CO');
  expect(localeOf('fr')).toBe('en-001');
});
