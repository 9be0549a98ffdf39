import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { ReadableStream } from 'node:stream/web';
import { call } from '../api/client.ts';
import { keepToken } from '../session/token-store.ts';
import { CUSTOMER, customerOrder, finishedOrder, refusal } from '../test/fixtures.ts';
import { renderScreen } from '../test/render.tsx';
import { fakeApi } from '../test/server.ts';
import { standAt } from '../test/today.ts';
import { CustomerPortal } from './CustomerPortal.tsx';
import { GrowthPicker } from '../order/growth/GrowthPicker.tsx';
import type { CustomerOrder } from './orders.ts';

beforeEach(() => {
  localStorage.clear();
  keepToken('customer', 'kept');
});

afterEach(cleanup);

const texts = ['portal', 'customer', 'order', 'growth', 'certificate'] as const;

describe('orders list', () => {
  const stats = { totalTrees: 10, totalOrders: 2, treesPlanted: 0, carbonOffset: 0 };

  const SECOND = '65f0c0ffee0000000006bbe1';

  function portal(handlers: Parameters<typeof fakeApi>[0], at = '/customer-portal') {
    const requests = fakeApi({
      'GET /api/auth/customer/verify': () => ({ body: { user: CUSTOMER } }),
      ...handlers,
    });
    return renderScreen(<CustomerPortal />, { texts, at }).then(() => requests);
  }

  const twoPages = {
    'GET /api/customers/orders': ({ url }: { url: string }) =>
      url.includes('cursor=next')
        ? {
            body: { orders: [customerOrder({ _id: SECOND, shortId: '06BBE1' })], emailVerified: true, stats },
          }
        : { body: { orders: [customerOrder()], nextCursor: 'next', emailVerified: true, stats } },
  };

  test('loads orders page by page, by cursor', async () => {
    await portal(twoPages);
    await screen.findByText('1 of 2 orders');
    expect(screen.getAllByRole('article')).toHaveLength(1);
    fireEvent.click(screen.getByRole('button', { name: 'Show more orders' }));
    await waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(2));
    expect(screen.queryByRole('button', { name: 'Show more orders' })).toBeNull();
  });

  test('opens the newest of several orders, and the others on request', async () => {
    const later = finishedOrder({ _id: SECOND, shortId: '06BBE1' });
    await portal({
      'GET /api/customers/orders': () => ({
        body: { orders: [customerOrder(), later], emailVerified: true, stats },
      }),
    });
    const [newest, older] = await screen.findAllByRole('article');
    expect(within(newest!).getByRole('list', { name: 'What has happened' })).toBeTruthy();
    expect(within(older!).queryByRole('list', { name: 'What has happened' })).toBeNull();
    expect(older!.textContent).toContain('La Carbonera, Salento, Quindío · 12 December 2026');
    fireEvent.click(within(older!).getByRole('button', { name: 'Show' }));
    expect(within(older!).getByRole('list', { name: 'What has happened' })).toBeTruthy();
  });

  test('leads to planting more and to help', async () => {
    await portal(twoPages);
    const more = await screen.findByRole('link', { name: 'Plant more' });
    expect(more.getAttribute('href')).toBe('/plant-trees');
    expect(screen.getByRole('link', { name: 'Help' }).getAttribute('href')).toBe('/help');
    expect(screen.queryByRole('searchbox')).toBeNull();
  });

  test('from five orders on, one is found by typing, also on a page not loaded yet', async () => {
    const many = { ...stats, totalOrders: 5 };
    const later = finishedOrder({ _id: SECOND, shortId: '06BBE1' });
    const requests = await portal({
      'GET /api/customers/orders': ({ url }) => ({
        body: url.includes('cursor=next')
          ? { orders: [later], emailVerified: true, stats: many }
          : { orders: [customerOrder()], nextCursor: 'next', emailVerified: true, stats: many },
      }),
    });
    const find = await screen.findByRole('searchbox', { name: 'Find by order, place or tree planter' });
    expect(requests.some(({ url }) => url.includes('cursor=next'))).toBe(false);
    fireEvent.change(find, { target: { value: 'quindio carbonera' } });
    await screen.findByText('1 order found');
    expect(screen.getByRole('article').textContent).toContain('Order 06BBE1');
    fireEvent.change(find, { target: { value: 'nowhere' } });
    await screen.findByText('0 orders found');
    expect(screen.queryByRole('article')).toBeNull();
    fireEvent.change(find, { target: { value: '' } });
    expect(await screen.findAllByRole('article')).toHaveLength(2);
  });

  test('loads pages until a linked order appears', async () => {
    await portal(
      { ...twoPages, 'GET /api/config': () => ({ body: { photoPackages: [] } }) },
      `/customer-portal?growth=${SECOND}`,
    );
    await screen.findByText('Order 06BBE1');
    await screen.findByText('Growth updates cannot be bought here at the moment.');
  });

  /** A stream the test writes to. */
  function stream() {
    let push = (_text: string) => {};
    const body = new ReadableStream({
      start: (controller) => {
        push = (text) => controller.enqueue(new TextEncoder().encode(text));
      },
    });
    return { body, say: (data: object) => push(`data: ${JSON.stringify(data)}\n\n`) };
  }

  test('a status change moves the timeline without a reload, and is announced', async () => {
    let order: CustomerOrder = customerOrder();
    const line = stream();
    await portal({
      'GET /api/customers/orders': () => ({ body: { orders: [order], emailVerified: true, stats } }),
    });
    const answered = globalThis.fetch;
    globalThis.fetch = ((url: string, init: RequestInit) =>
      url.endsWith('/events')
        ? Promise.resolve({
            ok: true,
            status: 200,
            headers: new Headers({ 'content-type': 'text/event-stream' }),
            body: line.body,
          })
        : answered(url, init)) as typeof fetch;
    await screen.findByText('Pending');
    order = customerOrder({
      status: 'assigned',
      assignedDate: '2026-11-21T15:00:00Z',
      assignedWorker: { name: 'Marleny Ospina', region: 'Quindío' },
    });
    // The second attempt succeeds: the first was refused before the test's stream existed.
    line.say({ orderId: order._id, status: 'assigned', revision: 2, updatedAt: '2026-11-21T15:00:00Z' });
    await screen.findByText('Marleny Ospina', {}, { timeout: 4_000 });
    expect(screen.getByText('Order 06BBE0 is now: Assigned').getAttribute('role')).toBe('status');
  });

  test('downloads a receipt in the page’s language and emails it once', async () => {
    URL.createObjectURL = () => 'blob:receipt';
    HTMLAnchorElement.prototype.click = () => {};
    const requests = await portal({
      'GET /api/customers/orders': () => ({
        body: { orders: [finishedOrder()], emailVerified: true, stats },
      }),
      'GET /api/customers/orders/{id}/receipt': () => ({
        body: new Blob(['%PDF'], { type: 'application/pdf' }),
      }),
      'POST /api/customers/orders/{id}/resend-mail': () => ({ status: 202, body: {} }),
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Download receipt' }));
    await waitFor(() =>
      expect(requests.map(({ url }) => url)).toContainEqual(expect.stringContaining('/receipt?language=en')),
    );
    fireEvent.click(screen.getByRole('button', { name: 'Email the receipt again' }));
    await screen.findByText('Sent. Look in your inbox, and in spam too.');
    const sent = requests.find(({ key }) => key.startsWith('POST'))!;
    expect(new Headers(sent.headers).get('idempotency-key')).toMatch(/^[\w-]{36}$/);
  });

  test('reports a receipt that cannot be loaded', async () => {
    await portal({
      'GET /api/customers/orders': () => ({
        body: { orders: [finishedOrder()], emailVerified: true, stats },
      }),
      'GET /api/customers/orders/{id}/receipt': () => refusal(503, 'unavailable'),
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Download receipt' }));
    await screen.findByText('This is not available right now. Please try again shortly.');
  });

  test('shows eight of thirty photos until all are requested', async () => {
    const [photo] = finishedOrder().photos;
    const photos = Array.from({ length: 30 }, (_, at) => ({ ...photo!, filename: `${at}.jpg` }));
    await portal({
      'GET /api/customers/orders': () => ({
        body: { orders: [finishedOrder({ photos })], emailVerified: true, stats },
      }),
    });
    const all = await screen.findByRole('button', { name: 'Show all 30 photos' });
    expect(screen.getAllByRole('img', { name: /^Photo/ })).toHaveLength(8);
    fireEvent.click(all);
    expect(screen.getAllByRole('img', { name: /^Photo/ })).toHaveLength(30);
    expect(screen.getByRole('button', { name: 'Show fewer photos' }).getAttribute('aria-expanded')).toBe(
      'true',
    );
  });
});

describe('growth', () => {
  standAt('2026-12-01T15:00:00Z');

  const ID = customerOrder()._id;

  const CONFIG = {
    photoPackages: [
      { photoPackageType: 'first_year', priceId: 'price_f', amount: 1500, currency: 'USD' },
      { photoPackageType: 'three_year', priceId: 'price_t', amount: 2500, currency: 'USD' },
      { photoPackageType: 'lifetime', priceId: 'price_l', amount: 3500, currency: 'USD' },
    ],
  };

  const bought = (changes: object = {}) => ({
    photoPackageType: 'first_year' as const,
    currency: 'USD' as const,
    purchasedAt: '2026-12-13T10:00:00Z',
    visits: [
      { number: 1, of: 3, dueAt: '2020-03-13T10:00:00Z', completedAt: '2020-03-15T15:00:00Z' },
      { number: 2, of: 3, dueAt: '2020-06-13T10:00:00Z' },
      { number: 3, of: 3, dueAt: '2099-12-13T10:00:00Z' },
    ],
    ...changes,
  });

  /** A portal with one order, which may change. */
  function portal(at: string, order: () => CustomerOrder, more: Parameters<typeof fakeApi>[0] = {}) {
    const requests = fakeApi({
      'GET /api/auth/customer/verify': () => ({ body: { user: CUSTOMER } }),
      'GET /api/config': () => ({ body: CONFIG }),
      'GET /api/customers/orders': () => ({
        body: {
          orders: [order()],
          emailVerified: true,
          stats: { totalTrees: 5, totalOrders: 1, treesPlanted: 5, carbonOffset: 110 },
        },
      }),
      ...more,
    });
    return renderScreen(<CustomerPortal />, { texts, at: `/customer-portal${at}` }).then(() => requests);
  }

  test('Get Growth Updates opens three packages with prices, savings and real dates', async () => {
    await portal('', () => finishedOrder());
    const open = await screen.findByRole('button', { name: 'Get Growth Updates' });
    expect(open.getAttribute('aria-expanded')).toBe('false');
    fireEvent.click(open);
    const rows = within(await screen.findByRole('list', { name: 'Packages of growth updates' })).getAllByRole(
      'listitem',
    );
    expect(rows).toHaveLength(3);
    const words = rows.map((row) => row.textContent);
    expect(words[0]).toContain('First year3 updates at 3, 6 and 12 months, about USD\u00a05.00 each');
    expect(words[0]).toMatch(/March, June and December 2027USD.15\.00/);
    expect(words[1]).toContain('7 updates every 6 months, about USD\u00a03.57 eachPopular, save 29%');
    expect(words[1]).toContain('Every June and December, December 2026 to December 2029USD\u00a025.00');
    expect(words[2]).toContain('10 updates over 5 years, USD\u00a03.50 eachSave 30%');
    expect(words[2]).toContain('USD\u00a035.00');
  });

  test('choosing a package creates one checkout, however often it is pressed', async () => {
    const requests = fakeApi({
      'GET /api/config': () => ({ body: CONFIG }),
      'POST /api/payments/create-photo-package-checkout': () => ({
        body: { checkoutUrl: 'https://pay.test/1' },
      }),
    });
    const left: string[] = [];
    const session = { person: CUSTOMER, call, logIn: () => {}, logOut: () => {} };
    await renderScreen(
      <GrowthPicker session={session} order={finishedOrder()} leave={(address) => left.push(address)} />,
      { texts },
    );
    const choose = await screen.findByRole('button', { name: 'Choose Three-year story' });
    fireEvent.click(choose);
    await waitFor(() => expect(left).toEqual(['https://pay.test/1']));
    fireEvent.click(choose);
    fireEvent.click(screen.getByRole('button', { name: 'Choose Lifetime' }));
    const posts = requests.filter(({ key }) => key.startsWith('POST'));
    expect(posts.map(({ body }) => body)).toEqual([{ priceId: 'price_t', originalOrderId: ID }]);
    expect(left).toHaveLength(1);
  });

  test.each<[string, () => ReturnType<typeof refusal> | 'lost', string | RegExp]>([
    [
      'a provider that does not answer',
      () => refusal(502, 'checkout-session-failed'),
      'We could not open the payment page. Nothing was charged. Try again.',
    ],
    [
      'a lost connection',
      () => 'lost',
      /^We got no answer, so the payment page did not open\. Nothing was charged\./,
    ],
    [
      'an order that has a package',
      () => refusal(409, 'photo-package-active'),
      'This order has growth updates already.',
    ],
  ])('%s says so, and another try is possible', async (_name, reply, sentence) => {
    await portal('', () => finishedOrder(), { 'POST /api/payments/create-photo-package-checkout': reply });
    fireEvent.click(await screen.findByRole('button', { name: 'Get Growth Updates' }));
    fireEvent.click(await screen.findByRole('button', { name: 'Choose First year' }));
    await screen.findByText(sentence);
    expect(screen.getByRole('button', { name: 'Choose Lifetime' })).not.toHaveProperty('disabled', true);
  });

  test('counts dates from the planting while it is ahead', async () => {
    await portal(`?growth=${ID}`, () => customerOrder());
    await screen.findByText('3, 6 and 12 months after the planting');
    expect(screen.getByText('Year 5', { selector: '[class*=shared] *' })).toBeTruthy();
  });

  test('a purchase shows done visits with photos, due and future ones, and no further offer', async () => {
    const [photo] = finishedOrder().photos;
    const photos = [photo!, { ...photo!, filename: 'g.jpg', growthUpdate: 1 }];
    await portal('', () => finishedOrder({ growth: [bought()], photos }));
    const visits = within(await screen.findByRole('list', { name: 'Updates of the package First year' }));
    expect(visits.getAllByRole('listitem').map((one) => one.textContent)).toEqual([
      'Update 1 of 3Done on 15 March 2020 with 1 photo',
      'Update 2 of 3Due now, photos to come',
      'Update 3 of 3December 2099, planned',
    ]);
    expect(screen.getByText('Growth update 1')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Get Growth Updates' })).toBeNull();
  });

  test('a refunded package shows the refund and its past visits, and another can be bought', async () => {
    const stopped = bought({ stoppedAt: '2020-04-01T10:00:00Z', refundedAmount: 1000, lostAmount: 500 });
    await portal('', () => finishedOrder({ growth: [stopped] }));
    await screen.findByText(/^Ended on 1 April 2020: the money went back/);
    expect(screen.getByText(/^We refunded USD\s10\.00 of this package\.$/)).toBeTruthy();
    expect(screen.getByText(/^Your bank took USD\s5\.00 of this package back\.$/)).toBeTruthy();
    const visits = screen.getByRole('list', { name: 'Updates of the package First year' });
    expect(within(visits).getAllByRole('listitem')).toHaveLength(1);
    expect(screen.getByRole('button', { name: 'Get Growth Updates' })).toBeTruthy();
  });

  test('after payment waits for the visits, then announces them', async () => {
    jest.useFakeTimers({ advanceTimers: true });
    try {
      let paid = false;
      await portal(`?package=success&order=${ID}`, () => finishedOrder(paid ? { growth: [bought()] } : {}));
      await screen.findByText('Your payment went through. We are setting up the visits.');
      expect(screen.queryByRole('button', { name: 'Get Growth Updates' })).toBeNull();
      paid = true;
      await act(() => jest.advanceTimersByTimeAsync(2_500));
      const thanks = await screen.findByText('Thank you. Your growth updates are set up below.');
      const heading = within(screen.getByRole('article')).getByRole('heading', { level: 3 });
      expect(thanks.compareDocumentPosition(heading)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
      expect(document.activeElement!.contains(thanks)).toBe(true);
    } finally {
      jest.useRealTimers();
    }
  });

  test('after a cancelled payment says that nothing was charged, and offers the packages again', async () => {
    await portal(`?package=cancelled&order=${ID}`, () => finishedOrder());
    await screen.findByText(/Nothing was charged/);
    await screen.findByRole('button', { name: 'Choose Three-year story' });
  });

  test.each([
    [
      'a transfer that is looked for',
      { manualPayment: { verificationStatus: 'pending' as const, evidenceCount: 1 } },
      /will be verified within 24-48 hours/,
    ],
    [
      'a transfer that was not found',
      {
        manualPayment: {
          verificationStatus: 'rejected' as const,
          evidenceCount: 1,
          rejectionReason: 'Other amount',
        },
      },
      /Reason: Other amount/,
    ],
    ['money that was refunded', { withdrawn: true as const, refundedAmount: 2000 }, /We refunded USD 20.00/],
  ] as const)('%s says so, and sells no updates', async (_name, changes, sentence) => {
    await portal('', () => customerOrder(changes));
    await screen.findByText(sentence);
    expect(screen.queryByRole('button', { name: 'Get Growth Updates' })).toBeNull();
  });
});
