import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useLocation } from 'react-router-dom';
import { call } from '../../api/client.ts';
import { Toasts } from '../../design/components/Toasts.tsx';
import { ADMIN, examplePackage, examplePayment, exampleRefund, refusal } from '../../test/fixtures.ts';
import { renderScreen } from '../../test/render.tsx';
import { fakeApi, lastOf } from '../../test/server.ts';
import { type Refund, targetOf, targetsOf } from '../refund/refund.ts';
import { RefundDialog } from '../refund/RefundDialog.tsx';
import { PaymentsPanel } from './PaymentsPanel.tsx';

afterEach(cleanup);

describe('PaymentsPanel', () => {
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
      { texts: ['admin', 'panels'], at },
    );

  const list = (...payments: object[]) => ({ body: { payments } });

  const dialogOf = async () => within(await screen.findByRole('dialog', { name: 'Payment of order 06BBE0' }));

  test('shows customer, order, method, state, amount and date of each payment', async () => {
    fakeApi({
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
      'Emma Clarkeemma@mail.test',
      '06BBE0',
      expect.any(String),
      'PaidUSD 5.00 refundedDisputed',
      'USD 20.00',
      '20 Nov 2026',
      'View Details',
    ]);
    expect(within(screen.getByRole('row', { name: /Nora/ })).getByText('Refunded')).toBeTruthy();
    expect(within(screen.getByRole('row', { name: /Ana/ })).getByText('Other amount paid')).toBeTruthy();
  });

  test('search, status and days apply on the server, live in the address, and start at the newest', async () => {
    const requests = fakeApi({ [LIST]: () => list() });
    await open('/?cursor=somewhere&page=2');
    await screen.findByText('No payments found');
    fireEvent.change(screen.getByLabelText('Name, email, order or reference'), {
      target: { value: ' emma ' },
    });
    await waitFor(() => expect(address()).toBe('?q=emma'));
    fireEvent.change(screen.getByLabelText('Status'), { target: { value: 'succeeded' } });
    fireEvent.change(screen.getByLabelText('From'), { target: { value: '2026-11-01' } });
    await waitFor(() => expect(address()).toBe('?q=emma&status=succeeded&from=2026-11-01'));
    await waitFor(() => {
      const asked = new URL(lastOf(requests, LIST)!.url, 'http://dashboard.test').searchParams;
      expect(Object.fromEntries(asked)).toEqual({
        q: 'emma',
        status: 'succeeded',
        from: '2026-11-01T05:00:00.000Z',
      });
    });
    expect(screen.getByText('Nothing matches these filters.')).toBeTruthy();
  });

  test('pages forward and back by cursor', async () => {
    const requests = fakeApi({
      [LIST]: ({ url }) => ({
        body: { payments: [examplePayment()], nextCursor: url.includes('cursor') ? undefined : 'next one' },
      }),
    });
    await open();
    fireEvent.click(await screen.findByRole('button', { name: 'Next' }));
    await waitFor(() => expect(lastOf(requests, LIST)!.url).toBe('/api/admin/payments?cursor=next+one'));
    expect(address()).toBe('?cursor=next+one&page=2');
    fireEvent.click(screen.getByRole('button', { name: 'Previous' }));
    await waitFor(() => expect(address()).toBe(''));
  });

  test('a payment opens with fee, payout, refunds, disputes and packages; the address keeps it', async () => {
    fakeApi({
      [LIST]: () => list(examplePayment()),
      [ONE]: () => ({
        body: {
          payment: examplePayment({
            fee: { amount: 88, currency: 'USD', netAmount: 1912, exchangeRate: 0.00025 },
            refunds: [
              exampleRefund({ amount: 500 }),
              exampleRefund({ refundId: 'r2', amount: 100, status: 'failed', failureReason: 'expired card' }),
            ],
            disputes: [
              {
                disputeId: 'd1',
                amount: 2000,
                currency: 'USD',
                reason: 'product_not_received',
                status: 'needs_response',
                createdAt: '2026-11-21T15:00:00Z',
                updatedAt: '2026-11-21T15:00:00Z',
              },
            ],
          }),
        },
      }),
    });
    await open();
    fireEvent.click(
      await screen.findByRole('button', { name: 'View Details of the payment of order 06BBE0' }),
    );
    expect(address()).toBe(`?payment=${ID}`);
    const dialog = await dialogOf();
    for (const text of [
      'Visa ending 4242',
      'pi_1',
      '0.00025 USD for 1 USD',
      'USD 0.88',
      'USD 19.12',
      'product not received',
      'needs response',
      'failed',
    ])
      expect(dialog.getByText(text)).toBeTruthy();
    expect(dialog.getByText(/Ordered twice\. \(expired card\)/)).toBeTruthy();
    expect(dialog.getAllByText(/Lucía Restrepo, 21 November 2026, through Stripe/)).toHaveLength(2);
    fireEvent.click(dialog.getAllByRole('button', { name: 'Close' })[0]!);
    await waitFor(() => expect(address()).toBe(''));
  });

  test('shows owed refunds and refunded packages prominently', async () => {
    fakeApi({
      [LIST]: () => list(examplePayment({ isDisputed: true, isDisputeLost: true, isPackageRefunded: true })),
      [ONE]: () => ({
        body: {
          payment: examplePayment({
            toReturnAmount: 500,
            refunds: [exampleRefund({ amount: 500, status: 'failed' })],
            photoPackages: [
              examplePackage({
                status: 'stopped',
                leftAmount: 200,
                refunds: [exampleRefund({ amount: 1300 })],
              }),
            ],
          }),
        },
      }),
    });
    await open();
    const row = await screen.findByRole('row', { name: /Emma Clarke/ });
    expect(within(row).getByText('Dispute lost')).toBeTruthy();
    expect(within(row).getByText('Package refunded')).toBeTruthy();
    fireEvent.click(within(row).getByRole('button', { name: 'View Details of the payment of order 06BBE0' }));
    const dialog = await dialogOf();
    expect(
      await dialog.findByText(/^USD\s5\.00 still has to be returned: the refund failed\.$/),
    ).toBeTruthy();
    expect(dialog.getByText('stopped, money returned')).toBeTruthy();
    fireEvent.click(dialog.getByRole('button', { name: 'Refund the package First year…' }));
    await screen.findByRole('dialog', { name: 'Refund the package First year of order 06BBE0' });
    expect(screen.getByRole('button', { name: 'Refund USD\u00a02.00' })).toBeTruthy();
  });

  test('refunds from the payment, confirms it, and updates the payment', async () => {
    let payment = examplePayment();
    const requests = fakeApi({
      [LIST]: () => list(payment),
      [ONE]: () => ({ body: { payment } }),
      [REFUND]: () => {
        const refund = exampleRefund({ amount: 2000 });
        payment = examplePayment({ refunds: [refund], refundedAmount: 2000, leftAmount: 0 });
        return { status: 201, body: { refund } };
      },
    });
    await open(`/?payment=${ID}`);
    const dialog = await dialogOf();
    fireEvent.click(dialog.getByRole('button', { name: 'Refund…' }));
    const refund = within(await screen.findByRole('dialog', { name: /^Refund/ }));
    fireEvent.change(refund.getByLabelText('Reason'), { target: { value: 'Ordered twice.' } });
    fireEvent.click(refund.getByRole('button', { name: 'Refund USD\u00a020.00' }));
    await screen.findByText(/^USD\s20\.00 refunded\.$/);
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
    fakeApi({ [LIST]: () => list(), [ONE]: () => reply });
    await open(`/?payment=${ID}`);
    await screen.findByText(sentence);
    const dialog = within(screen.getByRole('dialog'));
    expect(dialog.queryByRole('button', { name: 'Try again' }) !== null).toBe(canTryAgain);
  });

  test('offers no refund for an unpaid payment', async () => {
    fakeApi({
      [LIST]: () => list(),
      [ONE]: () => ({ body: { payment: examplePayment({ status: 'open', leftAmount: 0 }) } }),
    });
    await open(`/?payment=${ID}`);
    const dialog = await dialogOf();
    expect(dialog.queryByRole('button', { name: 'Refund…' })).toBeNull();
  });
});

describe('RefundDialog', () => {
  const PATH = 'POST /api/admin/payments/{id}/refunds';

  let done: Refund[];

  beforeEach(() => {
    done = [];
  });

  const open = (changes = {}) =>
    renderScreen(
      <RefundDialog
        call={call}
        target={targetOf(examplePayment(changes))}
        onClose={() => undefined}
        onDone={(refund) => done.push(refund)}
      />,
      { texts: ['admin'] },
    );

  const button = (name: string) => screen.getByRole('button', { name });

  const type = (label: string, value: string) =>
    fireEvent.change(screen.getByLabelText(label), { target: { value } });

  const keys = (requests: { headers: Record<string, string> }[]) =>
    requests.map(({ headers }) => headers['Idempotency-Key']);

  test('the button shows the amount and requires a reason', async () => {
    const requests = fakeApi({ [PATH]: () => ({ status: 201, body: { refund: exampleRefund() } }) });
    await open();
    fireEvent.click(button('Refund USD\u00a020.00'));
    await screen.findByText('Enter a reason for the refund');
    expect(requests).toEqual([]);
  });

  test('a double click refunds once', async () => {
    const requests = fakeApi({ [PATH]: () => ({ status: 201, body: { refund: exampleRefund() } }) });
    await open();
    type('Reason', 'Ordered twice.');
    const refund = button('Refund USD\u00a020.00');
    fireEvent.click(refund);
    fireEvent.click(refund);
    await waitFor(() => expect(done).toHaveLength(1));
    expect(requests).toHaveLength(1);
    expect(requests[0]!.body).toEqual({ reason: 'Ordered twice.' });
  });

  test('sends a partial amount in minor units, and at most the remainder', async () => {
    const requests = fakeApi({
      [PATH]: () => ({ status: 201, body: { refund: exampleRefund({ amount: 1250 }) } }),
    });
    await open({ leftAmount: 1500 });
    expect(button('Refund USD\u00a015.00')).toBeTruthy();
    fireEvent.click(screen.getByLabelText('A part'));
    type('Reason', 'Fewer trees.');
    type('Amount in USD', '15.01');
    fireEvent.click(button('Refund USD\u00a015.01'));
    await screen.findByText(/That is more than what is left: USD\s15\.00/);
    type('Amount in USD', '12.50');
    fireEvent.click(button('Refund USD\u00a012.50'));
    await waitFor(() => expect(done).toHaveLength(1));
    expect(requests.map(({ body }) => body)).toEqual([{ amount: 1250, reason: 'Fewer trees.' }]);
  });

  test('retries the same request after a missing answer', async () => {
    let online = false;
    const requests = fakeApi({
      [PATH]: () => (online ? { status: 201, body: { refund: exampleRefund() } } : 'lost'),
    });
    await open();
    type('Reason', 'Ordered twice.');
    fireEvent.click(button('Refund USD\u00a020.00'));
    await screen.findByText('We got no answer. You can press again: the refund is made only once.');
    online = true;
    fireEvent.click(button('Refund USD\u00a020.00'));
    await waitFor(() => expect(done).toHaveLength(1));
    const [first, second] = keys(requests);
    expect(first).toBe(second);
  });

  test('after a lost attempt another amount is reported before it becomes a new request', async () => {
    let tries = 0;
    const requests = fakeApi({
      [PATH]: () =>
        ++tries === 1
          ? refusal(409, 'idempotency-conflict')
          : { status: 201, body: { refund: exampleRefund() } },
    });
    await open();
    type('Reason', 'Ordered twice.');
    fireEvent.click(button('Refund USD\u00a020.00'));
    await screen.findByText(/Your first attempt, with another amount or reason/);
    fireEvent.click(button('Refund USD\u00a020.00'));
    await waitFor(() => expect(done).toHaveLength(1));
    const [first, second] = keys(requests);
    expect(first).not.toBe(second);
  });

  test('refunds a package by its own call, and begins one that is sent another way', async () => {
    const PACKAGE = 'POST /api/admin/photo-packages/{id}/refunds';
    const bought = examplePackage({ leftAmount: 900 });
    const requests = fakeApi({ [PACKAGE]: () => ({ status: 201, body: { refund: exampleRefund() } }) });
    await renderScreen(
      <RefundDialog
        call={call}
        target={targetsOf(examplePayment({ photoPackages: [bought] }))[1]!}
        onClose={() => undefined}
        onDone={(refund) => done.push(refund)}
      />,
      { texts: ['admin'] },
    );
    expect(
      screen.getByRole('dialog', { name: 'Refund the package First year of order 06BBE0' }),
    ).toBeTruthy();
    expect(screen.getByText(/visits not made yet are cancelled/)).toBeTruthy();
    type('Reason', 'Card expired.');
    fireEvent.click(screen.getByLabelText('Send the money another way, such as a bank transfer'));
    expect(
      screen.getByText(
        /^Begin here first, so that nobody else sends the money too\. Then send it to Emma Clarke/,
      ),
    ).toBeTruthy();
    fireEvent.click(button('Begin to send USD\u00a09.00'));
    await waitFor(() => expect(done).toHaveLength(1));
    expect(requests.map(({ key, url, body }) => ({ key, url, body }))).toEqual([
      {
        key: PACKAGE,
        url: `/api/admin/photo-packages/${bought.purchaseId}/refunds`,
        body: { reason: 'Card expired.', byHand: true, claim: true },
      },
    ]);
  });

  test('a transfer is refunded by hand, and the dialog says so', async () => {
    await open({ method: { kind: 'transfer', bank: 'bancolombia' } });
    expect(
      screen.getByText(
        /^Begin here first, so that nobody else sends the money too\. Then send it to Emma Clarke/,
      ),
    ).toBeTruthy();
  });
});
