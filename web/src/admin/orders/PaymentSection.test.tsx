import { afterEach, expect, test } from '@jest/globals';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { openOrder } from '../../test/admin-orders.tsx';
import { adminOrder, examplePackage, examplePayment, exampleRefund } from '../../test/fixtures.ts';
import { fakeApi } from '../../test/server.ts';

afterEach(cleanup);

test('shows refunded money in the payment', async () => {
  fakeApi({
    'GET /api/admin/orders/{id}': () => ({ body: { order: adminOrder() } }),
    'GET /api/admin/orders/{id}/payment': () => ({ body: { payment: examplePayment() } }),
  });
  await openOrder();
  fireEvent.click(await screen.findByRole('button', { name: 'Refund…' }));
  await waitFor(() => expect(screen.getByRole('dialog', { name: 'Refund order 06BBE0' })).toBeTruthy());
});

test('refunds packages, and dismisses a failed refund with a reason', async () => {
  const failed = exampleRefund({ refundId: 'r2', amount: 500, status: 'failed' });
  let refunds = [failed];
  const DISMISS = 'POST /api/admin/refunds/{id}/dismissal';
  const requests = fakeApi({
    'GET /api/admin/orders/{id}': () => ({ body: { order: adminOrder() } }),
    'GET /api/admin/orders/{id}/payment': () => ({
      body: {
        payment: examplePayment({
          refunds,
          toReturnAmount: refunds[0]!.dismissed ? 0 : 500,
          photoPackages: [examplePackage()],
        }),
      },
    }),
    [DISMISS]: () => {
      const at = '2026-11-22T12:00:00Z';
      refunds = [{ ...failed, dismissed: { by: { role: 'admin' }, reason: 'They gave it', at } }];
      return { body: { refund: refunds[0] } };
    },
  });
  await openOrder();
  await screen.findByText(/^USD\s5\.00 still has to be returned: the refund failed\./);
  fireEvent.click(screen.getByRole('button', { name: 'Money stays here…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'The money stays here' }));
  fireEvent.click(dialog.getByRole('button', { name: 'The money stays' }));
  await dialog.findByText('Enter a reason for keeping it');
  fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: ' They gave it ' } });
  fireEvent.click(dialog.getByRole('button', { name: 'The money stays' }));
  await screen.findByText('Stays here: They gave it');
  expect(screen.queryByText(/still has to be returned/)).toBeNull();
  expect(requests.filter(({ key }) => key === DISMISS).map(({ url, body }) => ({ url, body }))).toEqual([
    { url: '/api/admin/refunds/r2/dismissal', body: { reason: 'They gave it' } },
  ]);
  fireEvent.click(screen.getByRole('button', { name: 'Refund the package First year…' }));
  await screen.findByRole('dialog', { name: 'Refund the package First year of order 06BBE0' });
});

test('shows a lost dispute of a package above the order, and hides a won one', async () => {
  const dispute = {
    disputeId: 'd1',
    amount: 1500,
    currency: 'USD' as const,
    reason: 'fraudulent',
    at: '2026-11-22T12:00:00Z',
  };
  const growthPurchase = {
    purchaseId: 'b1',
    photoPackageType: 'first_year' as const,
    amount: 1500,
    currency: 'USD' as const,
    purchasedAt: '2026-11-21T12:00:00Z',
    visits: [],
    refunds: [],
    disputes: [{ ...dispute, status: 'lost' }],
  };
  const disputes = [{ ...dispute, disputeId: 'd2', amount: 2000, status: 'won' }];
  fakeApi({
    'GET /api/admin/orders/{id}': () => ({
      body: { order: adminOrder({ disputes, growthPurchases: [growthPurchase] }) },
    }),
  });
  await openOrder();
  await screen.findByText(/^The bank took USD\s15\.00 back: the dispute is lost\.$/);
  expect(screen.queryByText(/disputes USD\s20\.00/)).toBeNull();
});
