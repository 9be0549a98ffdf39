import { afterEach, describe, expect, test } from '@jest/globals';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { openOrder, ORDER_ID, typeInto } from '../../test/admin-orders.tsx';
import {
  adminOrder,
  examplePayment,
  exampleRefund,
  finishedAdminOrder,
  flaggedPhoto,
  refusal,
} from '../../test/fixtures.ts';
import { fakeApi } from '../../test/server.ts';

afterEach(cleanup);

const order = finishedAdminOrder();

test('a failed section leaves the others usable', async () => {
  fakeApi({
    'GET /api/admin/orders/{id}': () => ({ body: { order } }),
    'GET /api/admin/orders/{id}/payment': () => refusal(503, 'unavailable'),
    'GET /api/admin/orders/{id}/mails': () => ({ body: { mails: [] } }),
    'GET /api/admin/orders/{id}/assignment': () => refusal(404, 'not-found'),
  });
  await openOrder();
  await screen.findByText('This part could not be loaded.');
  await screen.findByText('This order can’t be assigned yet.');
  expect(screen.getAllByText('Emma Clarke').length).toBeGreaterThan(0);
  fireEvent.click(screen.getByRole('tab', { name: 'Emails' }));
  await screen.findByText('No email about this order yet.');
});

test.each([
  ['en', 'Trees 5'],
  ['es', 'Árboles 5'],
] as const)('names the trees beside their number: %s', async (language, text) => {
  fakeApi({ 'GET /api/admin/orders/{id}': () => ({ body: { order } }) });
  await openOrder(language);
  await waitFor(() => expect(screen.getByRole('dialog').textContent).toContain(text));
});

test('shows four dates, notes and photos, and changes the status after confirmation', async () => {
  const requests = fakeApi({
    'GET /api/admin/orders/{id}': () => ({ body: { order } }),
    'PUT /api/admin/orders/{id}/status': () => ({ body: { order: { ...order, status: 'planted' } } }),
  });
  await openOrder();
  const dates = within(await screen.findByRole('region', { name: 'Dates' }));
  for (const name of ['Ordered', 'Assigned', 'Planted', 'Completed']) {
    const value = dates.getByText(name).nextElementSibling ?? dates.getByText(name).parentElement!;
    expect(value.textContent).toMatch(/\d{1,2} \w+ 202\d/);
  }
  expect(
    within(screen.getByRole('region', { name: 'Notes' })).getByText('Upper edge of the plot.'),
  ).toBeTruthy();
  expect(within(screen.getByRole('region', { name: 'Photos' })).getAllByRole('img')).toHaveLength(1);
  fireEvent.click(screen.getByRole('combobox', { name: /^Change Status/ }));
  fireEvent.click(await screen.findByRole('option', { name: 'Planted' }));
  await screen.findByRole('dialog', { name: 'Change order status from Completed to Planted?' });
  expect(requests.some(({ key }) => key.startsWith('PUT'))).toBe(false);
  fireEvent.click(screen.getByRole('button', { name: 'Change status' }));
  await waitFor(() =>
    expect(requests.find(({ key }) => key.startsWith('PUT'))?.body).toMatchObject({ status: 'planted' }),
  );
  fireEvent.click(screen.getAllByRole('button', { name: 'Close' })[0]!);
});

test('an order is assigned from a list of workers with region, load and room, best first', async () => {
  const assignment = {
    _id: 'a1',
    orderId: ORDER_ID,
    status: 'pending',
    trees: 5,
    revision: 2,
    isWaiting: true,
    isWithdrawn: false,
    orderedAt: '2026-11-20T15:00:00Z',
    visits: [],
    history: [],
  };
  const worker = (name: string, freeTrees: number) => ({
    workerId: name,
    code: `QU-${name}`,
    name,
    region: 'Quindío',
    active: true,
    capacityTrees: 100,
    openTrees: 100 - freeTrees,
    openAssignments: 2,
    freeTrees,
    visitsDue: 0,
    treesPlanted: 0,
    candidate: { inRegion: true, hasRoom: freeTrees >= 5, hasIt: false },
  });
  const requests = fakeApi({
    'GET /api/admin/orders/{id}': () => ({ body: { order: adminOrder() } }),
    'GET /api/admin/orders/{id}/assignment': () => ({ body: { assignment } }),
    'GET /api/admin/workers/workloads': () => ({
      body: { workers: [worker('Ana', 60), worker('Beto', 1)] },
    }),
    'PUT /api/admin/orders/{id}/assignment': () => ({
      body: { assignment, changed: true, overCapacityTrees: 4 },
    }),
  });
  await openOrder();
  fireEvent.click(await screen.findByRole('button', { name: 'Assign…' }));
  const radios = await screen.findAllByRole<HTMLInputElement>('radio');
  expect(radios.map(({ value, checked }) => [value, checked])).toEqual([
    ['Ana', true],
    ['Beto', false],
  ]);
  for (const text of [
    'Best match',
    '40 of 100 trees open',
    'Room for 60 trees',
    '99 of 100 trees open',
    '4 trees over capacity',
  ])
    expect(screen.getByText(text, { exact: false })).toBeTruthy();
  fireEvent.click(radios[1]!);
  await screen.findByText('This worker has no capacity left. You can assign it anyway.');
  fireEvent.click(screen.getByRole('button', { name: 'Assign to Beto' }));
  await screen.findByText('Assigned, 4 trees over this worker’s capacity.');
  const put = requests.find(({ key }) => key.startsWith('PUT'))!;
  expect(put.body).toEqual({ workerId: 'Beto' });
  expect(put.headers['If-Match']).toBe('"2"');
});

test('names a photo that cannot be shown, and what to do', async () => {
  const requests = fakeApi({
    'GET /api/admin/orders/{id}': () => ({ body: { order } }),
    'GET /api/admin/photos': () => ({
      body: { photos: [flaggedPhoto({ isReady: false, flags: ['cannot-be-shown'] })] },
    }),
  });
  await openOrder();
  await screen.findByText(/sent a photo \(.+\) on .+ that cannot be shown\. Their portal asks for another/);
  expect(screen.getByRole('link', { name: 'See photos' }).getAttribute('href')).toContain('view=photos');
  const { url } = requests.find(({ key }) => key === 'GET /api/admin/photos')!;
  expect(new URL(url, 'http://localhost').search).toContain(`order=${ORDER_ID}`);
});

test('a step of a former worker is shown until the trees are planted', async () => {
  const at = '2026-11-22T12:00:00Z';
  const reported = { at, type: 'reported', by: { role: 'worker', name: 'Luz' }, to: 'planted' } as const;
  let status: 'assigned' | 'planted' = 'assigned';
  fakeApi({
    'GET /api/admin/orders/{id}': () => ({
      body: { order: adminOrder({ status, timeline: [reported] }) },
    }),
  });
  await openOrder();
  await screen.findByText(/^Luz reports “Planted” for this order/);
  fireEvent.click(screen.getByRole('tab', { name: /^History/ }));
  screen.getByText('Reported by someone who no longer had the order');
  cleanup();
  status = 'planted';
  await openOrder();
  fireEvent.click(await screen.findByRole('tab', { name: /^History/ }));
  await screen.findByText('Reported by someone who no longer had the order');
  expect(screen.queryByText(/^Luz reports/)).toBeNull();
});

test('a withdrawn order says whether the bank took its money back', async () => {
  fakeApi({
    'GET /api/admin/orders/{id}': () => ({
      body: { order: adminOrder({ status: 'pending', withdrawn: true, lostAmount: 1500 }) },
    }),
  });
  await openOrder();
  await screen.findByText(/^Cancelled: the bank took the money back before anything was planted/);
  screen.getByText('Taken back by the bank');
  screen.getByText(/^USD\s15\.00$/);
});

test('resends an email once and adds a note once, however often they are pressed', async () => {
  const mail = {
    id: 'm1',
    kind: 'receipt',
    to: { name: 'Emma', address: 'emma@mail.test' },
    language: 'en',
    queuedAt: '2026-11-20T15:00:00Z',
    state: 'sent',
    attempts: 1,
  };
  const note = {
    noteId: 'n1',
    text: 'Called.',
    by: { role: 'admin', name: 'Lucía' },
    at: mail.queuedAt,
  } as const;
  const requests = fakeApi({
    'GET /api/admin/orders/{id}': () => ({ body: { order } }),
    'GET /api/admin/orders/{id}/mails': () => ({ body: { mails: [mail] } }),
    'POST /api/admin/mails/{id}/resend': () => ({ status: 202, body: { mail } }),
    'POST /api/admin/orders/{id}/notes': () => ({
      status: 201,
      body: { order: { ...order, internalNotes: [note] } },
    }),
  });
  await openOrder();
  fireEvent.click(await screen.findByRole('tab', { name: 'Emails' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Resend: Receipt, to emma@mail.test' }));
  await screen.findByText('On its way again.');
  fireEvent.click(screen.getByRole('tab', { name: 'Order' }));
  typeInto('New note', 'Called.');
  const add = screen.getByRole('button', { name: 'Add note' });
  fireEvent.click(add);
  fireEvent.click(add);
  await screen.findByText('Called.', { selector: 'p' });
  expect(requests.filter(({ key }) => key.endsWith('/notes'))).toHaveLength(1);
  for (const key of ['POST /api/admin/mails/{id}/resend', 'POST /api/admin/orders/{id}/notes'])
    expect(requests.find((one) => one.key === key)!.headers['Idempotency-Key']).toBeTruthy();
});

test('an email that was sent can be read', async () => {
  const mail = {
    id: 'm1',
    kind: 'receipt',
    to: { name: 'Emma', address: 'emma@mail.test' },
    language: 'en',
    queuedAt: '2026-11-20T15:00:00Z',
    state: 'sent',
    attempts: 1,
  };
  fakeApi({
    'GET /api/admin/orders/{id}': () => ({ body: { order } }),
    'GET /api/admin/orders/{id}/mails': () => ({ body: { mails: [mail, { ...mail, id: 'm2' }] } }),
    'GET /api/admin/mails/{id}': ({ url }) =>
      url.endsWith('m1')
        ? { body: { mail, content: { subject: 'Receipt for 5 trees', text: '<b>Thank you</b>\nEmma' } } }
        : { body: { mail } },
  });
  await openOrder();
  fireEvent.click(await screen.findByRole('tab', { name: 'Emails' }));
  const [first, second] = await screen.findAllByRole('button', {
    name: 'Read: Receipt, to emma@mail.test',
  });
  fireEvent.click(first!);
  const text = await screen.findByRole('article', { name: 'The email as text' });
  expect(text.textContent).toBe('Receipt for 5 trees<b>Thank you</b>\nEmma');
  fireEvent.click(second!);
  await screen.findByText('The text was erased with the personal data.');
  fireEvent.click(screen.getAllByRole('button', { name: 'Hide: Receipt, to emma@mail.test' })[0]!);
  expect(screen.queryByRole('article')).toBeNull();
});

const withdrawal = {
  requestedAt: '2026-11-22T15:00:00Z',
  refundBy: '2026-12-23T04:59:59.999Z',
  reason: 'I moved away',
};
const withdrawing = adminOrder({ status: 'pending', withdrawal });

test('a withdrawal is answered by a refund of all the money', async () => {
  const requests = fakeApi({
    'GET /api/admin/orders/{id}': () => ({ body: { order: withdrawing } }),
    'GET /api/admin/orders/{id}/payment': () => ({ body: { payment: examplePayment() } }),
    'POST /api/admin/payments/{id}/refunds': () => refusal(409, 'refund-in-hand'),
  });
  await openOrder();
  await screen.findByText(/^The donor cancelled on 22 November 2026\./);
  screen.getByText('Their reason: “I moved away”');
  fireEvent.click(await screen.findByRole('button', { name: /^Refund [A-Z]/ }));
  const dialog = within(screen.getByRole('dialog', { name: /^Refund/ }));
  fireEvent.click(dialog.getByRole('button', { name: /^Refund/ }));
  await waitFor(() =>
    expect(requests.find(({ key }) => key.startsWith('POST'))?.body).toEqual({
      reason: 'Cancelled by the donor in time (Ley 1480, art. 47)',
    }),
  );
});

describe('while an admin sends the money of a withdrawal by bank transfer', () => {
  const SETTLE = 'POST /api/admin/refunds/{id}/settlement';
  const sending = exampleRefund({ method: 'hand', status: 'pending', by: { role: 'admin', name: 'Camilo' } });
  const shown = (reply: () => { body?: object; status?: number }, role?: 'auditor') => {
    const payment = examplePayment({ leftAmount: 0, refunds: [sending] });
    const requests = fakeApi({
      'GET /api/admin/orders/{id}': () => ({ body: { order: withdrawing } }),
      'GET /api/admin/orders/{id}/payment': () => ({ body: { payment } }),
      [SETTLE]: reply,
    });
    return { requests, opened: openOrder('en', role) };
  };
  const notice = async () =>
    within((await screen.findByText(/^The donor cancelled/)).closest<HTMLElement>('[role=alert]')!);

  test('others see it, and neither send it too nor keep the order', async () => {
    await shown(() => ({})).opened;
    await (await notice()).findByText(/^Camilo is sending USD\s20\.00 by bank transfer, since/);
    expect((await notice()).queryByRole('button', { name: /^(Refund|Keep)/ })).toBeNull();
  });

  test.each([
    [true, /^USD\s20\.00 is sent$/],
    [false, 'Nothing was sent'],
  ])('they note that it is sent: %s', async (sent, name) => {
    const { requests, opened } = shown(() => ({ body: { refund: sending } }));
    await opened;
    fireEvent.click(await (await notice()).findByRole('button', { name }));
    await waitFor(() =>
      expect(requests.filter(({ key }) => key === SETTLE).map(({ body }) => body)).toEqual([{ sent }]),
    );
  });

  test('they read why it could not be noted', async () => {
    await shown(() => refusal(409, 'conflict')).opened;
    fireEvent.click(await (await notice()).findByRole('button', { name: 'Nothing was sent' }));
    await screen.findByText('This was changed in the meantime. Please load it again.');
  });

  test('an auditor only reads it', async () => {
    await shown(() => ({}), 'auditor').opened;
    await (await notice()).findByText(/^Camilo is sending/);
    expect((await notice()).queryByRole('button')).toBeNull();
  });
});

test('an order is kept with a reason when its donor asked for it', async () => {
  const { withdrawal: _gone, ...kept } = withdrawing;
  const requests = fakeApi({
    'GET /api/admin/orders/{id}': () => ({ body: { order: withdrawing } }),
    'POST /api/admin/orders/{id}/withdrawal/retract': () => ({ body: { order: kept } }),
  });
  await openOrder();
  fireEvent.click(await screen.findByRole('button', { name: 'Keep the order' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Keep this order?' }));
  fireEvent.click(dialog.getByRole('button', { name: 'Keep the order' }));
  await screen.findByText('Write why, for example “They called on Tuesday”.');
  fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: 'They called' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Keep the order' }));
  await waitFor(() =>
    expect(requests.find(({ key }) => key.startsWith('POST'))?.body).toEqual({ reason: 'They called' }),
  );
});

test('an admin who only reads orders is not offered to answer a withdrawal', async () => {
  fakeApi({ 'GET /api/admin/orders/{id}': () => ({ body: { order: withdrawing } }) });
  await openOrder('en', 'support');
  await screen.findByText(/^The donor cancelled/);
  expect(screen.queryByRole('button', { name: /Keep|Refund/ })).toBeNull();
});

test.each([
  ['auditor', 1],
  ['coordinator', 0],
] as const)('the history leads to the audit log for who may read it: %s', async (role, links) => {
  fakeApi({ 'GET /api/admin/orders/{id}': () => ({ body: { order: adminOrder() } }) });
  await openOrder('en', role);
  fireEvent.click(await screen.findByRole('tab', { name: /^History/ }));
  expect(screen.queryAllByRole('link', { name: /audit log/i })).toHaveLength(links);
});

test('an answered withdrawal says when the money was refunded', async () => {
  const answered = { ...withdrawal, answeredAt: '2026-11-24T15:00:00Z' };
  fakeApi({
    'GET /api/admin/orders/{id}': () => ({
      body: { order: adminOrder({ status: 'pending', withdrawn: true, withdrawal: answered }) },
    }),
  });
  await openOrder();
  await screen.findByText(/all of the money was refunded on 24 November 2026/);
  expect(screen.queryByRole('button', { name: 'Keep the order' })).toBeNull();
});
