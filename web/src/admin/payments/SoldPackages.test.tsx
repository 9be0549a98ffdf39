import { afterEach, expect, test } from '@jest/globals';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useLocation } from 'react-router-dom';
import { call } from '../../api/client.ts';
import { ADMIN, examplePayment } from '../../test/fixtures.ts';
import { renderScreen } from '../../test/render.tsx';
import { fakeApi } from '../../test/server.ts';
import { PaymentsPanel } from './PaymentsPanel.tsx';

afterEach(cleanup);

const LIST = 'GET /api/admin/photo-packages';

const session = { person: ADMIN, call, logIn: () => undefined, logOut: () => undefined };

const soldPackage = {
  purchaseId: '5b0c6f5e-2f0e-4d7e-8a55-0a1d2c3b4e5f',
  paymentId: examplePayment().paymentId,
  orderId: examplePayment().orderId,
  shortId: '06BBE0',
  photoPackageType: 'first_year',
  status: 'active',
  amount: 1500,
  currency: 'USD',
  refundedAmount: 500,
  customerName: 'Emma Clarke',
  customerEmail: 'emma@mail.test',
  purchasedAt: '2026-11-21T15:00:00Z',
};

function Address() {
  return <output data-testid="address">{useLocation().search}</output>;
}

const open = (at: string) =>
  renderScreen(
    <>
      <PaymentsPanel session={session} />
      <Address />
    </>,
    { texts: ['admin', 'panels'], at },
  );

const address = () => screen.getByTestId('address').textContent;

test('a day’s photo packages are listed with what was paid and refunded, and open their payment', async () => {
  const requests = fakeApi({
    [LIST]: () => ({ body: { photoPackages: [soldPackage] } }),
    'GET /api/admin/payments/{id}': () => ({ body: { payment: examplePayment() } }),
  });
  await open('/?of=packages&from=2026-11-21&to=2026-11-21');
  const row = await screen.findByRole('row', { name: /Emma Clarke/ });
  expect([...row.children].map(({ textContent }) => textContent.replace(/\s/g, ' '))).toEqual([
    'Emma Clarkeemma@mail.test',
    '06BBE0',
    'First year',
    'activeUSD 5.00 refunded',
    'USD 15.00',
    '21 Nov 2026',
    'View Details',
  ]);
  const asked = new URL(requests[0]!.url, 'http://localhost').searchParams;
  expect([asked.get('from'), asked.get('to')]).toEqual([
    '2026-11-21T05:00:00.000Z',
    '2026-11-22T05:00:00.000Z',
  ]);
  fireEvent.click(within(row).getByRole('button', { name: 'View Details of the payment of order 06BBE0' }));
  await screen.findByRole('dialog', { name: 'Payment of order 06BBE0' });
});

test('changing between trees and photo packages keeps the days and starts at the newest', async () => {
  fakeApi({
    [LIST]: () => ({ body: { photoPackages: [] } }),
    'GET /api/admin/payments': () => ({ body: { payments: [] } }),
  });
  await open('/?from=2026-11-01&status=succeeded&q=emma&cursor=somewhere');
  fireEvent.click(await screen.findByRole('button', { name: 'Photo packages' }));
  await screen.findByText('No photo packages found');
  expect(address()).toBe('?from=2026-11-01&of=packages');
  fireEvent.click(screen.getByRole('button', { name: 'Trees' }));
  await waitFor(() => expect(address()).toBe('?from=2026-11-01'));
});
