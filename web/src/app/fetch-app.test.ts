import { afterEach, expect, test } from '@jest/globals';
import { preloadApp } from './fetch-app.ts';

afterEach(() => {
  document.head.innerHTML = '';
});

test('every part of the app is asked for side by side, and no style that the page brought along is fetched', () => {
  document.head.innerHTML =
    '<script data-app="/assets/app.js /assets/page.js" data-styles="/assets/page.css"></script>';
  preloadApp();
  preloadApp();
  const links = [...document.querySelectorAll('link')].map(({ rel, attributes, outerHTML }) => [
    rel,
    attributes.getNamedItem('href')!.value,
    outerHTML.includes('disabled'),
  ]);
  expect(links).toEqual([
    ['stylesheet', '/assets/page.css', true],
    ['modulepreload', '/assets/app.js', false],
    ['modulepreload', '/assets/page.js', false],
  ]);
});
