import { afterEach, expect, test } from '@jest/globals';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useLocation } from 'react-router-dom';
import { call } from '../../api/client.ts';
import { Toasts } from '../../design/components/Toasts.tsx';
import { examplePayment, exampleRefund } from '../../testing/payments.ts';
import { ADMIN, refusal } from '../../testing/people.ts';
import { renderScreen } from '../../testing/render.tsx';
import { answer } from '../../testing/server.ts';
import { PaymentsPanel } from './PaymentsPanel.tsx';

afterEach(cleanup);

const LIST = 'GET /api/admin/payments';
const ONE = 'GET /api/admin/payments/{id}';
const REFUND = 'POST /api/admin/payments/{id}/refunds';
const ID = examplePayment().paymentId;

const session = { person: ADMIN, call, logIn: () => undefined, logOut: () => undefined };
function Address() {
  return <output data-testid="address">{useLocation().search}</output>;
}
const address = () => screen.getByTestId('address').textContent;
const open = (at = '/') =>
  renderScreen(
    <Toasts>
      <PaymentsPanel session={session} />
      <Address />
    </Toasts>,
    { texts: ['admin', 'desk'], at },
  );
const list = (...payments: object[]) => ({ body: { payments } });
const dialogOf = async () => within(await screen.findByRole('dialog', { name: 'Payment of order 06BBE0' }));

test('a payment has its row: who, which order, how, what became of it, how much, when', async () => {
  answer({
    [LIST]: () =>
      list(
        examplePayment({ refundedAmount: 500, isDisputed: true }),
        examplePayment({ paymentId: 'p2', shortId: '06BBE1', customerName: 'Nora', refundedAmount: 2000 }),
        examplePayment({ paymentId: 'p3', shortId: '06BBE2', customerName: 'Ana', status: 'mismatched' }),
      ),
  });
  await open();
  const row = await screen.findByRole('row', { name: /Emma Clarke/ });
  const cells = [...row.children].map(({ textContent }) => textContent.replace(/\s/g, ' '));
  expect(cells).toEqual([
    'Emma Clarkeemma@mail.test', '06BBE0', expect.any(String), 'PaidUSD 5.00 refundedDisputed',
    'USD 20.00', '20 November 2026', 'View Details',
  ]); // prettier-ignore
  expect(within(screen.getByRole('row', { name: /Nora/ })).getByText('Refunded')).toBeTruthy();
  expect(within(screen.getByRole('row', { name: /Ana/ })).getByText('Other amount paid')).toBeTruthy();
});

test('search, status and days are asked of the server, live in the address, and begin at the newest', async () => {
  const requests = answer({ [LIST]: () => list() });
  await open('/?after=somewhere');
  await screen.findByText('No payments found');
  fireEvent.change(screen.getByLabelText('Name, email, order or reference'), { target: { value: ' emma ' } });
  fireEvent.click(screen.getByRole('button', { name: 'Search' }));
  fireEvent.change(screen.getByLabelText('Status'), { target: { value: 'succeeded' } });
  fireEvent.change(screen.getByLabelText('From'), { target: { value: '2026-11-01' } });
  await waitFor(() => expect(address()).toBe('?q=emma&status=succeeded&from=2026-11-01'));
  await waitFor(() => {
    const asked = new URL(requests.at(-1)!.url, 'http://desk.test').searchParams;
    expect(Object.fromEntries(asked)).toEqual({
      q: 'emma', status: 'succeeded', from: new Date(2026, 10, 1).toISOString(),
    }); // prettier-ignore
  });
  expect(screen.getByText('Nothing matches these filters.')).toBeTruthy();
});

test('pages go on by their cursor and back', async () => {
  const requests = answer({
    [LIST]: ({ url }) => ({
      body: { payments: [examplePayment()], nextCursor: url.includes('cursor') ? undefined : 'next one' },
    }),
  });
  await open();
  fireEvent.click(await screen.findByRole('button', { name: 'Older' }));
  await waitFor(() => expect(requests.at(-1)!.url).toBe('/api/admin/payments?cursor=next+one'));
  expect(address()).toBe('?after=next+one');
  fireEvent.click(screen.getByRole('button', { name: 'Newer' }));
  await waitFor(() => expect(address()).toBe(''));
});

test('a payment opens with its money: fee, payout, refunds, disputes and packages; the address keeps it', async () => {
  answer({
    [LIST]: () => list(examplePayment()),
    [ONE]: () => ({
      body: {
        payment: examplePayment({
          fee: { amount: 88, currency: 'USD', netAmount: 1912 },
          refunds: [exampleRefund({ amount: 500 }), exampleRefund({ refundId: 'r2', amount: 100, status: 'failed', failureReason: 'expired card' })],
          disputes: [{ disputeId: 'd1', amount: 2000, currency: 'USD', reason: 'product_not_received', status: 'needs_response', createdAt: '2026-11-21T15:00:00Z', updatedAt: '2026-11-21T15:00:00Z' }],
        }),
      },
    }),
  }); // prettier-ignore
  await open();
  fireEvent.click(await screen.findByRole('button', { name: 'View Details of the payment of order 06BBE0' }));
  expect(address()).toBe(`?payment=${ID}`);
  const dialog = await dialogOf();
  for (const text of [
    'Visa ending 4242', 'pi_1', 'USD 0.88', 'USD 19.12', 'product not received', 'needs response', 'failed',
  ]) expect(dialog.getByText(text)).toBeTruthy(); // prettier-ignore
  expect(dialog.getByText(/Ordered twice\. \(expired card\)/)).toBeTruthy();
  expect(dialog.getAllByText(/Lucía Restrepo, 21 November 2026, through Stripe/)).toHaveLength(2);
  fireEvent.click(dialog.getAllByRole('button', { name: 'Close' })[0]!);
  await waitFor(() => expect(address()).toBe(''));
});

test('money is given back from here: said when it is done, and the payment then shows it', async () => {
  let payment = examplePayment();
  const requests = answer({
    [LIST]: () => list(payment),
    [ONE]: () => ({ body: { payment } }),
    [REFUND]: () => {
      const refund = exampleRefund({ amount: 2000 });
      payment = examplePayment({ refunds: [refund], refundedAmount: 2000 });
      return { status: 201, body: { refund } };
    },
  });
  await open(`/?payment=${ID}`);
  const dialog = await dialogOf();
  fireEvent.click(dialog.getByRole('button', { name: 'Refund…' }));
  const refund = within(await screen.findByRole('dialog', { name: /^Refund/ }));
  fireEvent.change(refund.getByLabelText('Reason'), { target: { value: 'Ordered twice.' } });
  fireEvent.click(refund.getByRole('button', { name: 'Refund USD\u00a020.00' }));
  await screen.findByText(/^USD\s20\.00 given back\.$/);
  await dialog.findByText('Ordered twice.');
  expect(dialog.queryByRole('button', { name: 'Refund…' })).toBeNull();
  expect(requests.filter(({ key }) => key === REFUND)).toHaveLength(1);
  expect(
    within(screen.getByRole('row', { name: /Emma Clarke/, hidden: true })).getByText('Refunded'),
  ).toBeTruthy();
});

test.each([
  [refusal(404, 'not-found'), 'There is no payment with this address.', false],
  ['lost' as const, 'We could not load this payment.', true],
])('a payment that cannot be had says so', async (reply, sentence, canTryAgain) => {
  answer({ [LIST]: () => list(), [ONE]: () => reply });
  await open(`/?payment=${ID}`);
  await screen.findByText(sentence);
  const dialog = within(screen.getByRole('dialog'));
  expect(dialog.queryByRole('button', { name: 'Try again' }) !== null).toBe(canTryAgain);
});

test('nothing is left to give back of what was not paid', async () => {
  answer({ [LIST]: () => list(), [ONE]: () => ({ body: { payment: examplePayment({ status: 'open' }) } }) });
  await open(`/?payment=${ID}`);
  const dialog = await dialogOf();
  expect(dialog.queryByRole('button', { name: 'Refund…' })).toBeNull();
});
