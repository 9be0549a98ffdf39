import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { cleanup, screen, within } from '@testing-library/react';
import { keepToken } from '../session/token-store.ts';
import { CUSTOMER, customerOrder } from '../test/fixtures.ts';
import { renderScreen } from '../test/render.tsx';
import { fakeApi } from '../test/server.ts';
import { inFrame } from './colombia-outline.ts';
import { CustomerPortal } from './CustomerPortal.tsx';
import { groupsOf, type Place } from './places.ts';

beforeEach(() => {
  localStorage.clear();
  keepToken('customer', 'kept');
});

afterEach(cleanup);

const SALENTO = { latitude: 4.637214, longitude: -75.487031 };
const NEAR_SALENTO = { latitude: 4.7, longitude: -75.6 };
const SANTA_MARTA = { latitude: 11.1, longitude: -74.05 };

const place = (nth: number, changes: Partial<Place> = {}): Place => ({
  _id: `65f0c0ffee0000000006bbe${nth}`,
  shortId: `06BBE${nth}`,
  token: `tokentokentokentoken0${nth}`,
  trees: 5,
  location: 'La Carbonera, Salento',
  plantingDate: '2026-12-12T14:40:00Z',
  coordinates: SALENTO,
  ...changes,
});

const stats = { totalTrees: 11, totalOrders: 3, treesPlanted: 11, carbonOffset: 242 };

async function portal(places: Place[], options: { totals?: object; language?: 'en' | 'es' } = {}) {
  const requests = fakeApi({
    'GET /api/auth/customer/verify': () => ({ body: { user: CUSTOMER } }),
    'GET /api/customers/orders': () => ({
      body: { orders: [customerOrder()], emailVerified: true, stats: { ...stats, ...options.totals } },
    }),
    'GET /api/customers/orders/places': () => ({ body: { places } }),
  });
  const { language = 'en' } = options;
  await renderScreen(<CustomerPortal />, { texts: ['portal', 'customer', 'order', 'growth'], language });
  await screen.findByRole('article');
  return requests;
}

describe('the map of all trees', () => {
  test('has a pin for each place and the same orders in a list', async () => {
    await portal([
      place(1),
      place(2, { coordinates: NEAR_SALENTO, trees: 1, location: undefined }),
      place(3, { coordinates: SANTA_MARTA, location: 'Minca' }),
    ]);
    const map = within(await screen.findByRole('region', { name: 'Your 11 trees on the map' }));
    const pins = within(map.getByRole('group', { name: 'Map of Colombia' })).getAllByRole('link');
    expect(pins.map((pin) => [pin.getAttribute('aria-label'), pin.getAttribute('href')])).toEqual([
      ['1. 2 orders, 6 trees', '/#place-1'],
      ['2. 5 trees · Minca', '/orders/tokentokentokentoken03'],
    ]);
    const rows = within(map.getAllByRole('list')[0]!).getAllByRole('link');
    expect(rows.map((row) => [row.textContent, row.getAttribute('href')])).toEqual([
      ['5 trees · La Carbonera, Salento', '/orders/tokentokentokentoken01'],
      ['1 tree', '/orders/tokentokentokentoken02'],
      ['5 trees · Minca', '/orders/tokentokentokentoken03'],
    ]);
    expect(map.getByText('Order 06BBE3 · 12 December 2026')).toBeTruthy();
  });

  test.each([
    ['en', 'Your tree on the map'],
    ['es', 'Tu árbol en el mapa'],
  ] as const)('speaks of one tree in the singular: %s', async (language, name) => {
    await portal([place(1, { trees: 1 })], { language });
    expect(await screen.findByRole('region', { name })).toBeTruthy();
  });

  test('is left out while no order has coordinates', async () => {
    await portal([]);
    expect(screen.queryByText(/on the map/)).toBeNull();
  });

  test.each([
    ['a single order, which has its own', { totalOrders: 1 }],
    ['orders that are not planted', { treesPlanted: 0 }],
  ])('is not asked for with %s', async (_what, totals) => {
    const requests = await portal([place(1)], { totals });
    expect(requests.some(({ key }) => key.endsWith('/places'))).toBe(false);
    expect(screen.queryByText(/on the map/)).toBeNull();
  });
});

test('pins that would cover each other are one', () => {
  const groups = groupsOf([
    place(1),
    place(2, { coordinates: SANTA_MARTA }),
    place(3, { coordinates: NEAR_SALENTO }),
  ]);
  expect(groups.map(({ places }) => places.map(({ shortId }) => shortId))).toEqual([
    ['06BBE1', '06BBE3'],
    ['06BBE2'],
  ]);
});

test('a place outside of the drawing is at its edge', () => {
  expect(inFrame({ latitude: 40, longitude: -100 })).toEqual({ x: 0, y: 0 });
  expect(inFrame({ latitude: -30, longitude: 10 })).toEqual({ x: 310, y: 362 });
});
