import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { call } from '../../api/client.ts';
import { examplePayment, exampleRefund } from '../../testing/payments.ts';
import { refusal } from '../../testing/people.ts';
import { renderScreen } from '../../testing/render.tsx';
import { answer } from '../../testing/server.ts';
import type { Refund } from './refund.ts';
import { RefundDialog } from './RefundDialog.tsx';

afterEach(cleanup);

const PATH = 'POST /api/admin/payments/{id}/refunds';
let done: Refund[];
beforeEach(() => {
  done = [];
});
const open = (changes = {}) =>
  renderScreen(
    <RefundDialog
      call={call}
      payment={examplePayment(changes)}
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

test('the button says what goes back; without a reason nothing does', async () => {
  const requests = answer({ [PATH]: () => ({ status: 201, body: { refund: exampleRefund() } }) });
  await open();
  fireEvent.click(button('Refund USD\u00a020.00'));
  await screen.findByText('Say why the money goes back');
  expect(requests).toEqual([]);
});

test('a double click is one refund', async () => {
  const requests = answer({ [PATH]: () => ({ status: 201, body: { refund: exampleRefund() } }) });
  await open();
  type('Reason', 'Ordered twice.');
  const refund = button('Refund USD\u00a020.00');
  fireEvent.click(refund);
  fireEvent.click(refund);
  await waitFor(() => expect(done).toHaveLength(1));
  expect(requests).toHaveLength(1);
  expect(requests[0]!.body).toEqual({ reason: 'Ordered twice.' });
});

test('a part is sent in minor units, and never more than is left', async () => {
  const requests = answer({
    [PATH]: () => ({ status: 201, body: { refund: exampleRefund({ amount: 1250 }) } }),
  });
  await open({ refunds: [exampleRefund({ amount: 500 })] });
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

test('when no answer came, pressing again is the same wish', async () => {
  let online = false;
  const requests = answer({
    [PATH]: () => (online ? { status: 201, body: { refund: exampleRefund() } } : 'lost'),
  });
  await open();
  type('Reason', 'Ordered twice.');
  fireEvent.click(button('Refund USD\u00a020.00'));
  await screen.findByText('No answer came. Press again: it is refunded once only.');
  online = true;
  fireEvent.click(button('Refund USD\u00a020.00'));
  await waitFor(() => expect(done).toHaveLength(1));
  const [first, second] = keys(requests);
  expect(first).toBe(second);
});

test('another amount after a lost attempt is told, and only then a wish of its own', async () => {
  let tries = 0;
  const requests = answer({
    [PATH]: () =>
      ++tries === 1
        ? refusal(409, 'idempotency-conflict')
        : { status: 201, body: { refund: exampleRefund() } },
  });
  await open();
  type('Reason', 'Ordered twice.');
  fireEvent.click(button('Refund USD\u00a020.00'));
  await screen.findByText(/Your first attempt had another amount or reason/);
  fireEvent.click(button('Refund USD\u00a020.00'));
  await waitFor(() => expect(done).toHaveLength(1));
  const [first, second] = keys(requests);
  expect(first).not.toBe(second);
});

test('a transfer is given back by hand, which is said', async () => {
  await open({ paymentMethod: 'manual_bancolombia' });
  expect(screen.getByText(/Send the money to Emma Clarke by bank transfer yourself/)).toBeTruthy();
});
