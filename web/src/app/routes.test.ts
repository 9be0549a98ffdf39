import { expect, test } from '@jest/globals';
import { routeOf } from './routes.ts';

test('every portal opens at both of its addresses', () => {
  for (const portal of ['/admin-dashboard', '/customer-portal', '/worker-portal'])
    expect(routeOf(`${portal}.html`).page).toBe(routeOf(portal).page);
  expect(
    new Set(['/admin-dashboard', '/customer-portal', '/worker-portal', '/'].map((path) => routeOf(path).page))
      .size,
  ).toBe(4);
});

test('an unknown path falls back to the landing page', () => {
  expect(routeOf('/no/such-page').page).toBe(routeOf('/').page);
  expect(routeOf('/plant-trees').page).not.toBe(routeOf('/').page);
});
