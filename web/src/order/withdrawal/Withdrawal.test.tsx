import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { keepToken } from '../../session/token-store.ts';
import { CUSTOMER, refusal } from '../../test/fixtures.ts';
import { openOrderPage, plantedOrder } from '../../test/order-page.tsx';
import { fakeApi } from '../../test/server.ts';
import { standAt } from '../../test/today.ts';
import { changeDraft } from '../purchase/draft.ts';

standAt('2026-11-30T15:00:00Z');
afterEach(() => {
  cleanup();
  localStorage.clear();
  changeDraft({ email: '' });
});

const { plantingDate: _planted, assignedDate: _assigned, assignedWorker: _worker, ...bare } = plantedOrder;
/** Paid on Saturday, 28 November. */
const pending = {
  ...bare,
  status: 'pending',
  photos: [],
  coordinates: undefined,
  location: undefined,
  withdrawableUntil: '2026-12-13T04:59:59.999Z',
};
const { withdrawableUntil: _until, ...held } = pending;
const withdrawing = {
  ...held,
  withdrawal: { requestedAt: '2026-11-30T15:00:00Z', refundBy: '2026-12-15T04:59:59.999Z' },
};
const open = () => screen.findByRole('button', { name: 'Cancel and get my money back' });
const dialog = () => within(screen.getByRole('dialog'));

/** The order's page, whose order changes once a call succeeds. */
function page(
  first: object,
  calls: Record<string, (request: { body?: unknown }) => { body?: object; status?: number }>,
  after: object = withdrawing,
) {
  let order = first;
  const changing = Object.entries(calls).map(([key, reply]) => [
    key,
    (request: { body?: unknown }) => {
      const answer = reply(request);
      if (answer.status === undefined) order = after;
      return answer;
    },
  ]);
  const requests = fakeApi({
    'GET /api/track/{token}': () => ({ body: order }),
    ...Object.fromEntries(changing),
  });
  return () => requests.filter(({ key }) => key.startsWith('POST'));
}

describe('a guest', () => {
  test('withdraws with the address of the order, and reads by when the money is back', async () => {
    const asked = page(pending, {
      'POST /api/track/{token}/withdrawal': () => ({ body: { order: withdrawing } }),
    });
    await openOrderPage();
    await screen.findByText(
      'You can cancel this purchase until 12 December 2026, as long as your trees have not been planted. You then get all of your money back.',
    );
    fireEvent.click(await open());
    dialog().getByText('The money goes back to the card you paid with.');
    fireEvent.click(dialog().getByRole('button', { name: 'Cancel and get my money back' }));
    await screen.findByText('Enter the email address of this order');
    expect(asked()).toEqual([]);
    fireEvent.change(dialog().getByLabelText('Email of this order'), {
      target: { value: ' sofia@mail.test ' },
    });
    fireEvent.change(dialog().getByLabelText('Reason (optional)'), { target: { value: 'I moved' } });
    fireEvent.click(dialog().getByRole('button', { name: 'Cancel and get my money back' }));
    await screen.findByText(
      'Cancelled on 30 November 2026. All of your money is refunded by 14 December 2026.',
    );
    expect(asked().map(({ body }) => body)).toEqual([{ email: 'sofia@mail.test', reason: 'I moved' }]);
    expect(screen.queryByRole('dialog')).toBeNull();
    screen.getByRole('heading', { level: 1, name: 'You cancelled this purchase.' });
    expect(screen.queryByRole('button', { name: 'Cancel and get my money back' })).toBeNull();
  });

  test('is told at the field that another address is not the order’s', async () => {
    page(pending, {
      'POST /api/track/{token}/withdrawal': () =>
        refusal(422, 'validation-failed', 'Please check.', [
          { path: 'email', type: 'not-the-orders-email', message: '' },
        ]),
    });
    await openOrderPage();
    fireEvent.click(await open());
    const field = dialog().getByLabelText<HTMLInputElement>('Email of this order');
    fireEvent.change(field, { target: { value: 'guess@mail.test' } });
    fireEvent.click(dialog().getByRole('button', { name: 'Cancel and get my money back' }));
    await screen.findByText('This is not the address that the order was made with.');
    await waitFor(() => expect(document.activeElement).toBe(field));
  });

  test('who comes too late reads the last day', async () => {
    changeDraft({ email: 'sofia@mail.test' });
    page(pending, { 'POST /api/track/{token}/withdrawal': () => refusal(409, 'withdrawal-too-late') });
    await openOrderPage();
    fireEvent.click(await open());
    fireEvent.click(dialog().getByRole('button', { name: 'Cancel and get my money back' }));
    await screen.findByText(
      'The time to cancel has passed: 14 days, or five business days where they end later. The last day was 12 December 2026.',
    );
  });

  test('keeps the order after all', async () => {
    changeDraft({ email: 'sofia@mail.test' });
    const asked = page(
      withdrawing,
      { 'POST /api/track/{token}/withdrawal/retract': () => ({ body: { order: pending } }) },
      pending,
    );
    await openOrderPage('', 'es');
    fireEvent.click(await screen.findByRole('button', { name: 'Conservar mi pedido' }));
    fireEvent.click(dialog().getByRole('button', { name: 'Conservar mi pedido' }));
    await screen.findByRole('button', { name: 'Retractarme y recibir mi dinero' });
    expect(asked().map(({ body }) => body)).toEqual([{ email: 'sofia@mail.test' }]);
  });
});

test('keeping the order is not offered once its refund has begun', async () => {
  const { withdrawal } = withdrawing;
  page({ ...withdrawing, withdrawal: { ...withdrawal, isRefundBegun: true } }, {});
  await openOrderPage();
  await screen.findByText(/^Cancelled on/);
  expect(screen.queryByRole('button', { name: 'Keep my order' })).toBeNull();
});

test('a customer who is logged in withdraws without their address', async () => {
  keepToken('customer', 'the-token');
  const requests = page(pending, {
    'GET /api/auth/customer/verify': () => ({ body: { user: CUSTOMER }, status: 200 }),
    'POST /api/customers/orders/{id}/withdrawal': () => ({ body: { order: withdrawing } }),
  });
  await openOrderPage();
  fireEvent.click(await open());
  await waitFor(() => expect(dialog().queryByLabelText('Email of this order')).toBeNull());
  fireEvent.click(dialog().getByRole('button', { name: 'Cancel and get my money back' }));
  await screen.findByRole('button', { name: 'Keep my order' });
  expect(requests().map(({ key, body }) => [key, body])).toEqual([
    ['POST /api/customers/orders/{id}/withdrawal', {}],
  ]);
});

describe('with an organisation east of Colombia, the law’s days', () => {
  beforeEach(() => void (document.documentElement.dataset.timeZone = 'Asia/Tokyo'));
  afterEach(() => void delete document.documentElement.dataset.timeZone);

  test('are days in Colombia while the donor may withdraw', async () => {
    page(pending, {});
    await openOrderPage();
    await screen.findByText(/^You can cancel this purchase until 12 December 2026,/);
  });

  test('are days in Colombia once they did', async () => {
    page(withdrawing, {});
    await openOrderPage();
    await screen.findByText(
      'Cancelled on 30 November 2026. All of your money is refunded by 14 December 2026.',
    );
  });
});

describe('withdrawing is not offered', () => {
  test.each([
    ['after the last day', { ...pending, withdrawableUntil: '2026-11-28T04:59:59.999Z' }],
    ['for an order that cannot be withdrawn from', held],
    ['for a planted order', plantedOrder],
  ])('%s', async (_name, order) => {
    page(order, {});
    await openOrderPage();
    await screen.findByRole('heading', { name: 'Receipt' });
    expect(screen.queryByRole('button', { name: 'Cancel and get my money back' })).toBeNull();
  });
});

test('a transfer is refunded by transfer, and a gift is cancelled with it', async () => {
  page(
    {
      ...pending,
      method: { kind: 'transfer', bank: 'bancolombia' },
      manualPayment: { verificationStatus: 'approved', evidenceCount: 1 },
      gift: {
        state: 'waiting',
        card: 'valley',
        recipientName: 'Mateo',
        deliverOn: '2026-12-24',
        timeZone: 'America/Bogota',
        byHand: false,
      },
    },
    {},
  );
  await openOrderPage();
  fireEvent.click(await open());
  dialog().getByText(/^You paid by bank transfer, so we send the money back by transfer/);
  dialog().getByText(/^The gift is cancelled with it/);
});
