import { afterEach, expect, test } from '@jest/globals';
import { cleanup, screen } from '@testing-library/react';
import { renderScreen } from '../testing/render.tsx';
import { Views } from './Views.tsx';

afterEach(cleanup);

test('the orders say how many there are, and where one is', async () => {
  await renderScreen(<Views chosen="orders" counts={{ orders: 1284 }} />, { texts: ['admin'] });
  const orders = screen.getByRole('link', { name: 'Tree Planting Orders 1,284' });
  expect(orders.getAttribute('aria-current')).toBe('page');
  expect(orders.getAttribute('href')).toBe('/?view=orders');
});

test('a count that is not known yet is an ellipsis', async () => {
  await renderScreen(<Views chosen="orders" counts={{ orders: undefined }} />, { texts: ['admin'] });
  expect(screen.getByRole('link', { name: 'Tree Planting Orders …' })).toBeTruthy();
});
