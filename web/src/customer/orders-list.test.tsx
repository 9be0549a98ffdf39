import { ReadableStream } from 'node:stream/web';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { keepToken } from '../session/token-store.ts';
import { customerOrder, finishedOrder } from '../testing/orders.ts';
import { CUSTOMER, refusal } from '../testing/people.ts';
import { renderScreen } from '../testing/render.tsx';
import { answer } from '../testing/server.ts';
import { CustomerPortal } from './CustomerPortal.tsx';
import type { CustomerOrder } from './orders.ts';

beforeEach(() => {
  localStorage.clear();
  keepToken('customer', 'kept');
});
afterEach(cleanup);

const texts = ['portal', 'customer', 'order', 'growth'] as const;
const stats = { totalTrees: 10, totalOrders: 2, treesPlanted: 0, carbonOffset: 0 };
const SECOND = '65f0c0ffee0000000006bbe1';

function portal(handlers: Parameters<typeof answer>[0], at = '/customer-portal') {
  const requests = answer({
    'GET /api/auth/customer/verify': () => ({ body: { user: CUSTOMER } }),
    ...handlers,
  });
  return renderScreen(<CustomerPortal />, { texts, at }).then(() => requests);
}

const twoPages = {
  'GET /api/customers/orders': ({ url }: { url: string }) =>
    url.includes('cursor=next')
      ? { body: { orders: [customerOrder({ _id: SECOND, shortId: '06BBE1' })], emailVerified: true, stats } }
      : { body: { orders: [customerOrder()], nextCursor: 'next', emailVerified: true, stats } },
};

test('orders come a page at a time, by the cursor of the page before', async () => {
  await portal(twoPages);
  await screen.findByText('1 of 2 orders');
  expect(screen.getAllByRole('article')).toHaveLength(1);
  fireEvent.click(screen.getByRole('button', { name: 'Show more orders' }));
  await waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(2));
  expect(screen.queryByRole('button', { name: 'Show more orders' })).toBeNull();
});

test('who comes for an order of a later page finds it there', async () => {
  await portal({ ...twoPages, 'GET /api/config': () => ({ body: { photoPackages: [] } }) }, `/customer-portal?growth=${SECOND}`);
  await screen.findByText('Order 06BBE1');
  await screen.findByText('Growth updates cannot be bought here at the moment.');
}); // prettier-ignore

/** A stream that a test speaks into. */
function stream() {
  let push = (_text: string) => {};
  const body = new ReadableStream({
    start: (controller) => {
      push = (text) => controller.enqueue(new TextEncoder().encode(text));
    },
  });
  return { body, say: (data: object) => push(`data: ${JSON.stringify(data)}\n\n`) };
}

test('a status moves along its line without a reload, and is read out', async () => {
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
  // The line is there at the second try: the first one was refused before the test took it.
  line.say({ orderId: order._id, status: 'assigned', revision: 2, updatedAt: '2026-11-21T15:00:00Z' });
  await screen.findByText('Marleny Ospina', {}, { timeout: 4_000 });
  expect(screen.getByText('Order 06BBE0 is now: Assigned').getAttribute('role')).toBe('status');
});

test('a receipt is fetched in the language of the page and mailed again once', async () => {
  URL.createObjectURL = () => 'blob:receipt';
  HTMLAnchorElement.prototype.click = () => {};
  const requests = await portal({
    'GET /api/customers/orders': () => ({ body: { orders: [finishedOrder()], emailVerified: true, stats } }),
    'GET /api/customers/orders/{id}/receipt': () => ({ body: new Blob(['%PDF'], { type: 'application/pdf' }) }),
    'POST /api/customers/orders/{id}/resend-mail': () => ({ status: 202, body: {} }),
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Download receipt' }));
  await waitFor(() => expect(requests.map(({ url }) => url)).toContainEqual(expect.stringContaining('/receipt?language=en')));
  fireEvent.click(screen.getByRole('button', { name: 'Mail the receipt again' }));
  await screen.findByText('Sent. Look in your inbox, and in spam too.');
  const sent = requests.find(({ key }) => key.startsWith('POST'))!;
  expect(new Headers(sent.headers).get('idempotency-key')).toMatch(/^[\w-]{36}$/);
}); // prettier-ignore

test('a receipt that cannot be had says so', async () => {
  await portal({
    'GET /api/customers/orders': () => ({ body: { orders: [finishedOrder()], emailVerified: true, stats } }),
    'GET /api/customers/orders/{id}/receipt': () => refusal(503, 'unavailable'),
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Download receipt' }));
  await screen.findByText('This is not available right now. Please try again shortly.');
});

test('of thirty photos eight are shown until all are asked for', async () => {
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
