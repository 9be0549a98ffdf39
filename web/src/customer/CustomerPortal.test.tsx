import { password } from '@arboleda/contracts/fields.ts';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { keepToken, readToken } from '../session/token-store.ts';
import { CUSTOMER, customerOrder, finishedOrder, refusal } from '../test/fixtures.ts';
import { renderScreen } from '../test/render.tsx';
import { fakeApi } from '../test/server.ts';
import { arrivalOf, hasComeThrough, isSettled } from './arrival.ts';
import { CustomerPortal } from './CustomerPortal.tsx';
import { type CustomerOrder, ordersOf } from './orders.ts';
import { MIN_PASSWORD } from './Register.tsx';
import { VerifyEmailPage } from './VerifyEmailPage.tsx';
import { Welcome } from './Welcome.tsx';

afterEach(cleanup);

describe('CustomerPortal', () => {
  beforeEach(() => {
    localStorage.clear();
    keepToken('customer', 'kept');
  });

  const texts = ['portal', 'customer', 'order', 'growth', 'certificate'] as const;

  const open = () => renderScreen(<CustomerPortal />, { texts });

  const verified = () => ({ body: { user: CUSTOMER } });

  const STATS = { totalTrees: 16, totalOrders: 2, treesPlanted: 6, carbonOffset: 132 };

  const page = (orders: CustomerOrder[], nextCursor?: string) => ({
    body: { orders, nextCursor, emailVerified: true, stats: STATS },
  });

  const withOrders = (orders: CustomerOrder[]) =>
    fakeApi({
      'GET /api/auth/customer/verify': verified,
      'GET /api/customers/orders': () => page(orders),
    });

  const tile = (label: RegExp) => screen.getByText(label).closest('div')!.querySelector('dd')!.textContent;

  test('tiles show totals over all orders, whatever the page', async () => {
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

  test.each([
    ['en', '22 kg a year, counted for each young tree'],
    ['es', '22 kg al año, contados por cada árbol joven'],
  ] as const)('the kilos of CO2 say that they are counted for young trees: %s', async (language, basis) => {
    withOrders([customerOrder()]);
    await renderScreen(<CustomerPortal />, { texts, language });
    expect((await screen.findByText(basis)).closest('dt')!.textContent).toMatch(/CO2/);
  });

  test('an order shows its id, status, trees, amount, date and worker on its timeline', async () => {
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
    expect(story.getByRole('link', { name: 'See the full story' }).getAttribute('href')).toBe(
      '/orders/tokentokentokentokento',
    );
  });

  test('the satellite map opens on request, at zoom 15 on the coordinates', async () => {
    withOrders([finishedOrder()]);
    await open();
    fireEvent.click(await screen.findByRole('button', { name: 'Show satellite map' }));
    const map = new URL(screen.getByTitle<HTMLIFrameElement>('Satellite map, zoom 15').src);
    expect(map.searchParams.get('q')).toBe('4.637214,-75.487031');
    expect(map.searchParams.get('z')).toBe('15');
  });

  test('hides map and gallery without coordinates and photos', async () => {
    withOrders([customerOrder()]);
    await open();
    await screen.findByRole('article');
    expect(screen.queryByRole('button', { name: 'Show satellite map' })).toBeNull();
    expect(screen.queryByRole('img', { name: /^Photo/ })).toBeNull();
  });

  test('opens a photo large and omits one that does not load', async () => {
    withOrders([finishedOrder()]);
    await open();
    const photo = await screen.findByRole('img', { name: /^Photo 1 of 1/ });
    fireEvent.click(photo);
    expect(screen.getByRole('dialog', { name: 'Photos from the field' })).toBeTruthy();
    fireEvent.click(await screen.findByRole('button', { name: 'Close' }));
    fireEvent.error(screen.getByRole('img', { name: /^Photo 1 of 1/ }));
    expect(screen.queryByRole('img', { name: /^Photo/ })).toBeNull();
  });

  test('without orders links to the offer on the landing page', async () => {
    withOrders([]);
    await open();
    expect((await screen.findByRole('link', { name: 'Plant Trees' })).getAttribute('href')).toBe('/');
    expect(screen.getByText('No trees yet')).toBeTruthy();
  });

  test('a failed load says that orders are safe and offers a retry', async () => {
    let online = false;
    fakeApi({
      'GET /api/auth/customer/verify': verified,
      'GET /api/customers/orders': () => (online ? page([customerOrder()]) : 'lost'),
    });
    await open();
    await screen.findByText('We could not load your orders');
    online = true;
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByRole('article');
  });

  test('loads no orders before the address is verified, and resends the link', async () => {
    const requests = fakeApi({
      'GET /api/auth/customer/verify': () => ({ body: { user: { ...CUSTOMER, emailVerified: false } } }),
      'POST /api/auth/customer/verify-email/resend': () => ({ status: 202, body: {} }),
    });
    await open();
    await screen.findByText('We sent a link to emma@mail.test. Open it to see your orders here.');
    fireEvent.click(screen.getByRole('button', { name: 'Send it again' }));
    await screen.findByText('Sent. Look in your inbox, and in spam too.');
    expect(requests.map(({ key }) => key)).not.toContain('GET /api/customers/orders');
  });

  test('focuses the heading after login, and the form’s heading after logout', async () => {
    keepToken('customer', null);
    fakeApi({
      'POST /api/auth/customer/login': () => ({ body: { token: 'fresh', user: CUSTOMER } }),
      'GET /api/auth/customer/verify': verified,
      'GET /api/customers/orders': () => page([]),
    });
    await open();
    await screen.findByLabelText('Password');
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

  test('the emailed link verifies the address and leads to the portal', async () => {
    let emailVerified = false;
    const requests = fakeApi({
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

  test('a used link says so and leads to the portal, which offers a new one', async () => {
    fakeApi({
      'GET /api/auth/customer/verify': () => ({ body: { user: { ...CUSTOMER, emailVerified: false } } }),
      'POST /api/auth/customer/verify-email': () => refusal(400, 'link-invalid'),
    });
    await openLink();
    await screen.findByText(/This link has expired or was used before/);
    expect(screen.getByRole('link', { name: 'To my trees' }).getAttribute('href')).toBe('/customer-portal');
  });

  test('a lost connection does not use up the link', async () => {
    let online = false;
    fakeApi({
      'GET /api/auth/customer/verify': () => ({ body: { user: { ...CUSTOMER, emailVerified: online } } }),
      'POST /api/auth/customer/verify-email': () =>
        online ? { body: { token: 'verified', user: CUSTOMER } } : 'lost',
    });
    await openLink();
    await screen.findByText(/Your link still works/);
    online = true;
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByText('elsewhere');
  });

  test('asks a guest to log in before using the link', async () => {
    keepToken('customer', null);
    fakeApi({});
    await openLink();
    await screen.findByText('Log in to verify the address of your account.');
  });
});

describe('Register', () => {
  const tokens: string[] = [];

  async function open() {
    tokens.length = 0;
    await renderScreen(<Welcome onToken={(token) => tokens.push(token)} />, {
      texts: ['portal', 'customer'],
    });
    fireEvent.click(screen.getByRole('tab', { name: 'Register' }));
    await screen.findByLabelText('Name');
  }

  const GOOD = {
    Name: 'Emma',
    Email: 'emma@mail.test',
    Password: 'ten-letters',
    'Confirm password': 'ten-letters',
  };

  function submit(values: Partial<typeof GOOD> = {}) {
    for (const [label, value] of Object.entries({ ...GOOD, ...values }))
      fireEvent.change(screen.getByLabelText(label), { target: { value } });
    fireEvent.click(screen.getByRole('button', { name: 'Create account' }));
  }

  test('creates an account in the page’s language and logs in', async () => {
    const requests = fakeApi({
      'POST /api/auth/customer/register': () => ({ status: 201, body: { token: 'fresh' } }),
    });
    await open();
    submit();
    await waitFor(() => expect(tokens).toEqual(['fresh']));
    expect(requests[0]!.body).toEqual({
      name: 'Emma',
      email: 'emma@mail.test',
      password: 'ten-letters',
      locale: 'en',
    });
  });

  test('refuses different passwords before sending', async () => {
    const requests = fakeApi({});
    await open();
    submit({ 'Confirm password': 'other-words' });
    await screen.findByText('Passwords do not match');
    expect(requests).toEqual([]);
  });

  test('requires at least ten characters in a password, like the server', async () => {
    fakeApi({});
    await open();
    submit({ Password: 'nineteen9'.slice(0, 9), 'Confirm password': 'nineteen9'.slice(0, 9) });
    await screen.findByText('At least 10 characters');
    expect(password.safeParse('x'.repeat(MIN_PASSWORD)).success).toBe(true);
    expect(password.safeParse('x'.repeat(MIN_PASSWORD - 1)).success).toBe(false);
  });

  test('shows a refusal beside its field and focuses it', async () => {
    fakeApi({
      'POST /api/auth/customer/register': () =>
        refusal(422, 'validation-failed', 'Please check the marked fields.', [
          { path: 'password', type: 'common-password', message: 'This password is too easy to guess.' },
        ]),
    });
    await open();
    submit();
    await screen.findByText('This password is too easy to guess.');
    const field = screen.getByLabelText('Password');
    expect(field.getAttribute('aria-invalid')).toBe('true');
    expect(document.activeElement).toBe(field);
    expect(screen.getByRole('alert').textContent).toBe('Please check the marked fields.');
  });

  test('an existing account leads to login with the address filled in', async () => {
    fakeApi({ 'POST /api/auth/customer/register': () => refusal(409, 'email-taken') });
    await open();
    submit();
    fireEvent.click(await screen.findByRole('button', { name: 'Log in' }));
    expect(screen.getByRole('tab', { name: 'Log in' }).getAttribute('aria-selected')).toBe('true');
    expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('emma@mail.test');
  });

  test.each([
    ['no sentence', { status: 500, body: undefined }, 'Registration failed'],
    ['no network', 'lost' as const, 'Registration failed. Please try again.'],
  ])('%s', async (_what, reply, text) => {
    fakeApi({ 'POST /api/auth/customer/register': () => reply });
    await open();
    submit();
    expect((await screen.findByRole('alert')).textContent).toBe(text);
  });
});

test.each([
  ['package=success&order=7f', { why: 'success', orderId: '7f' }],
  ['package=cancelled&order=7f', { why: 'cancelled', orderId: '7f' }],
  ['growth=7f', { why: 'choose', orderId: '7f' }],
  ['package=success', undefined],
  ['package=other&order=7f', undefined],
  ['', undefined],
])('"%s"', (query, arrival) => {
  expect(arrivalOf(new URLSearchParams(query))).toEqual(arrival);
});

test('a purchase has arrived when its order has an active package', () => {
  const arrival = { why: 'success', orderId: '7f' } as const;
  const over = { completedAt: '2026-01-01T00:00:00Z' };
  expect(hasComeThrough(arrival, [])).toBe(false);
  expect(hasComeThrough(arrival, [{ _id: '7f' }])).toBe(false);
  expect(hasComeThrough(arrival, [{ _id: '7f', growth: [over] }])).toBe(false);
  expect(hasComeThrough(arrival, [{ _id: '8a', growth: [{}] }])).toBe(false);
  expect(hasComeThrough(arrival, [{ _id: '7f', growth: [over, {}] }])).toBe(true);
});

test('after planting a purchase is settled once its dates exist', () => {
  const arrival = { why: 'success', orderId: '7f' } as const;
  const order = (status: 'assigned' | 'planted', visits: unknown[]) => [
    { _id: '8a', status: 'planted' as const },
    { _id: '7f', status, growth: [{ completedAt: '2026-01-01T00:00:00Z', visits: [] }, { visits }] },
  ];
  expect(isSettled(arrival, [{ _id: '7f', status: 'planted' }])).toBe(false);
  expect(isSettled(arrival, order('planted', []))).toBe(false);
  expect(isSettled(arrival, order('planted', [{}]))).toBe(true);
  expect(isSettled(arrival, order('assigned', []))).toBe(true);
});

test('shows an order once, as first read, when it moves to the next page during loading', () => {
  const newest = customerOrder({ _id: 'a'.repeat(24) });
  const slid = customerOrder({ _id: 'b'.repeat(24), status: 'planted' });
  const last = customerOrder({ _id: 'c'.repeat(24) });
  expect(ordersOf([{ orders: [newest, slid] }, { orders: [{ ...slid, status: 'assigned' }, last] }])).toEqual(
    [newest, slid, last],
  );
});
