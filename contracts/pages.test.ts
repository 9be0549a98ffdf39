import { expect, test } from '@jest/globals';
import { isPagePath } from './pages.ts';

test.each([
  '/',
  '/plant-trees',
  '/plant-trees/',
  '/Plant-Trees',
  '/%70lant-trees',
  '/orders/ab12CD34ef56GH78ij90KL',
  '/g/ab12CD34ef56GH78ij90KL/stop',
  '/customer-portal.html',
])('%s is a page', (path) => {
  expect(isPagePath(path)).toBe(true);
});

test.each([
  '',
  '//',
  '/no-such-page',
  '/orders',
  '/orders/a/b',
  '/customer-portalxhtml',
  '/help/me',
  '/%zz',
  '/plant-trees/no-such',
  '/index.html',
])('%s is none', (path) => {
  expect(isPagePath(path)).toBe(false);
});
