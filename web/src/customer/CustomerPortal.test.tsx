import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { keepToken, readToken } from '../session/token-store.ts';
import { customerOrder, finishedOrder } from '../testing/orders.ts';
import { CUSTOMER, refusal } from '../testing/people.ts';
import { renderScreen } from '../testing/render.tsx';
import { answer } from '../testing/server.ts';
import { CustomerPortal } from './CustomerPortal.tsx';
import type { CustomerOrder } from './orders.ts';
import { VerifyEmailPage } from './VerifyEmailPage.tsx';

beforeEach(() => {
  localStorage.clear();
  keepToken('customer', 'kept');
});
afterEach(cleanup);

const texts = ['portal', 'customer', 'order', 'growth'] as const;
const open = () => renderScreen(<CustomerPortal />, { texts });
const verified = () => ({ body: { user: CUSTOMER } });
const STATS = { totalTrees: 16, totalOrders: 2, treesPlanted: 6, carbonOffset: 132 };
const page = (orders: CustomerOrder[], nextCursor?: string) => ({
  body: { orders, nextCursor, emailVerified: true, stats: STATS },
});
const withOrders = (orders: CustomerOrder[]) =>
  answer({
    'GET /api/auth/customer/verify': verified,
    'GET /api/customers/orders': () => page(orders),
  });

/** A figure by its label. */
const tile = (label: RegExp) => screen.getByText(label).closest('div')!.querySelector('dd')!.textContent;

test('the tiles show the figures over all orders, on whatever page', async () => {
  withOrders([customerOrder()]);
  await open();
  await screen.findByText('My Tree Orders');
  expect([tile(/Trees Ordered/), tile(/Trees Planted/), tile(/^Orders$/), tile(/kg CO2/)]).toEqual([
    '16',
    '6',
    '2',
    '132',
  ]);
});

test('an order shows its id, status, trees, amount, date and planter on its line', async () => {
  withOrders([finishedOrder()]);
  await open();
  const story = within(await screen.findByRole('article'));
  for (const text of [
    'Order 06BBE0',
    'Completed',
    '5 trees',
    'USD 20.00',
    '20 November 2026',
    'La Carbonera',
  ])
    expect(story.getByText(text)).toBeTruthy();
  expect(story.getAllByText('Marleny Ospina').length).toBeGreaterThan(0);
  expect(story.getByRole('link', { name: 'Open the whole story' }).getAttribute('href')).toBe(
    '/orders/tokentokentokentokento',
  );
});

test('the satellite map is asked for first, and then stands at zoom 15 on the coordinates', async () => {
  withOrders([finishedOrder()]);
  await open();
  fireEvent.click(await screen.findByRole('button', { name: 'Show satellite map' }));
  const map = new URL(screen.getByTitle<HTMLIFrameElement>('Satellite map, zoom 15').src);
  expect(map.searchParams.get('q')).toBe('4.637214,-75.487031');
  expect(map.searchParams.get('z')).toBe('15');
});

test('without coordinates there is no map, without photos no gallery', async () => {
  withOrders([customerOrder()]);
  await open();
  await screen.findByRole('article');
  expect(screen.queryByRole('button', { name: 'Show satellite map' })).toBeNull();
  expect(screen.queryByRole('img', { name: /^Photo/ })).toBeNull();
});

test('a photo opens large, and one that does not load is left out', async () => {
  withOrders([finishedOrder()]);
  await open();
  const photo = await screen.findByRole('img', { name: /^Photo 1 of 1/ });
  fireEvent.click(photo);
  expect(screen.getByRole('dialog', { name: 'Photos from the field' })).toBeTruthy();
  fireEvent.click(await screen.findByRole('button', { name: 'Close' }));
  fireEvent.error(screen.getByRole('img', { name: /^Photo 1 of 1/ }));
  expect(screen.queryByRole('img', { name: /^Photo/ })).toBeNull();
});

test('without orders one is invited to plant, on the landing page', async () => {
  withOrders([]);
  await open();
  expect((await screen.findByRole('link', { name: 'Plant Trees' })).getAttribute('href')).toBe('/');
  expect(screen.getByText('No trees yet')).toBeTruthy();
});

test('orders that cannot be loaded are said to be safe and can be asked for again', async () => {
  let online = false;
  answer({
    'GET /api/auth/customer/verify': verified,
    'GET /api/customers/orders': () => (online ? page([customerOrder()]) : 'lost'),
  });
  await open();
  await screen.findByText('We could not load your orders');
  online = true;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByRole('article');
});

test('before the address is verified no orders are asked for; the link is sent again', async () => {
  const requests = answer({
    'GET /api/auth/customer/verify': () => ({ body: { user: { ...CUSTOMER, emailVerified: false } } }),
    'POST /api/auth/customer/verify-email/resend': () => ({ status: 202, body: {} }),
  });
  await open();
  await screen.findByText('We sent a link to emma@mail.test. Open it to see your orders here.');
  fireEvent.click(screen.getByRole('button', { name: 'Send it again' }));
  await screen.findByText('Sent. Look in your inbox, and in spam too.');
  expect(requests.map(({ key }) => key)).not.toContain('GET /api/customers/orders');
});

test('logging in moves the focus to the heading, logging out back to the form’s', async () => {
  keepToken('customer', null);
  answer({
    'POST /api/auth/customer/login': () => ({ body: { token: 'fresh', user: CUSTOMER } }),
    'GET /api/auth/customer/verify': verified,
    'GET /api/customers/orders': () => page([]),
  });
  await open();
  for (const label of ['Email', 'Password'])
    fireEvent.change(screen.getByLabelText(label), { target: { value: 'something' } });
  fireEvent.click(screen.getByRole('button', { name: 'Log in' }));
  await screen.findByText('Welcome, Emma');
  await waitFor(() => expect(document.activeElement?.tagName).toBe('H1'));
  fireEvent.click(screen.getByRole('button', { name: 'Log out' }));
  await screen.findByLabelText('Password');
  expect(document.activeElement?.tagName).toBe('H1');
});

const openLink = () =>
  renderScreen(<VerifyEmailPage />, { texts, at: '/verify-email#token=mailed', pattern: '/verify-email' });

test('the mailed link verifies the address and leads into the portal', async () => {
  let emailVerified = false;
  const requests = answer({
    'GET /api/auth/customer/verify': () => ({ body: { user: { ...CUSTOMER, emailVerified } } }),
    'POST /api/auth/customer/verify-email': () => {
      emailVerified = true;
      return { body: { token: 'verified', user: CUSTOMER } };
    },
  });
  await openLink();
  await screen.findByText('elsewhere');
  expect(requests.find(({ key }) => key.startsWith('POST'))!.body).toEqual({ token: 'mailed' });
  expect(readToken('customer')).toBe('verified');
});

test('a link that is used up says so and leads to the portal, where a new one can be had', async () => {
  answer({
    'GET /api/auth/customer/verify': () => ({ body: { user: { ...CUSTOMER, emailVerified: false } } }),
    'POST /api/auth/customer/verify-email': () => refusal(400, 'link-invalid'),
  });
  await openLink();
  await screen.findByText(/This link has expired or was used before/);
  expect(screen.getByRole('link', { name: 'To my trees' }).getAttribute('href')).toBe('/customer-portal');
});

test('a lost connection leaves the link good', async () => {
  let online = false;
  answer({
    'GET /api/auth/customer/verify': () => ({ body: { user: { ...CUSTOMER, emailVerified: online } } }),
    'POST /api/auth/customer/verify-email': () =>
      online ? { body: { token: 'verified', user: CUSTOMER } } : 'lost',
  });
  await openLink();
  await screen.findByText(/Your link is still good/);
  online = true;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByText('elsewhere');
});

test('who opens the link without being logged in does that first', async () => {
  keepToken('customer', null);
  answer({});
  await openLink();
  await screen.findByText('Log in to verify the address of your account.');
});
