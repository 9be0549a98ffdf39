import { afterEach, describe, expect, test } from '@jest/globals';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { call } from '../../api/client.ts';
import {
  adminOrder,
  examplePackage,
  examplePayment,
  exampleRefund,
  finishedAdminOrder,
  flaggedPhoto,
  refusal,
} from '../../testing/fixtures.ts';
import { renderScreen } from '../../testing/render.tsx';
import { fakeApi } from '../../testing/server.ts';
import { editSchema } from './edit-schema.ts';
import { baseOf, EDIT_CURRENCIES, editOf, type EditValues, isTouched, merge, treesOf } from './edit.ts';
import { History } from './History.tsx';
import { OrderDialog } from './OrderDialog.tsx';
import type { HistoryEntry } from './orders.ts';

afterEach(cleanup);

describe('OrderDialog', () => {
  const ID = '65f0c0ffee0000000006bbe0';

  const order = finishedAdminOrder();

  let closed = 0;

  const open = async (language: 'en' | 'es' = 'en') => {
    closed = 0;
    await renderScreen(<OrderDialog call={call} person={{ id: 'a1' }} id={ID} onClose={() => closed++} />, {
      texts: ['admin'],
      language,
    });
  };

  const edit = async () => {
    await open();
    fireEvent.click(await screen.findByRole('button', { name: 'Edit order' }));
    await screen.findByLabelText('Trees');
  };

  const type = (label: string, value: string) =>
    fireEvent.change(screen.getByLabelText(label), { target: { value } });

  const save = () => fireEvent.click(screen.getByRole('button', { name: 'Save changes' }));

  const saved = (requests: { key: string; body: unknown; headers: Record<string, string> }[]) =>
    requests.filter(({ key }) => key === 'PUT /api/admin/orders/{id}');

  const discard = async () => {
    fireEvent.click(screen.getAllByRole('button', { name: 'Close' })[0]!);
    fireEvent.click(await screen.findByRole('button', { name: 'Discard' }));
  };

  test('a failed section leaves the others usable', async () => {
    fakeApi({
      'GET /api/admin/orders/{id}': () => ({ body: { order } }),
      'GET /api/admin/orders/{id}/payment': () => refusal(503, 'unavailable'),
      'GET /api/admin/orders/{id}/mails': () => ({ body: { mails: [] } }),
      'GET /api/admin/orders/{id}/assignment': () => refusal(404, 'not-found'),
    });
    await open();
    await screen.findByText('This part could not be loaded.');
    await screen.findByText('This order can’t be assigned yet.');
    expect(screen.getAllByText('Emma Clarke').length).toBeGreaterThan(0);
    fireEvent.click(screen.getByRole('tab', { name: 'Emails' }));
    await screen.findByText('No email about this order yet.');
  });

  test('an edit sends changed fields with the version that was read, and confirms in the spec’s words', async () => {
    const requests = fakeApi({
      'GET /api/admin/orders/{id}': () => ({ body: { order } }),
      'PUT /api/admin/orders/{id}': () => ({ body: { order: { ...order, trees: 6, version: 2 } } }),
    });
    await edit();
    type('Trees', '6');
    type('Amount', '24.5');
    save();
    await screen.findByText('Order updated successfully!');
    const [put] = saved(requests);
    expect(put!.body).toEqual({ trees: 6, amount: 2450, currency: 'USD' });
    expect(put!.headers['If-Match']).toBe('"1"');
  });

  test('reads numbers in the page’s format and shows how they were understood', async () => {
    const requests = fakeApi({
      'GET /api/admin/orders/{id}': () => ({ body: { order: { ...order, currency: 'COP' } } }),
      'PUT /api/admin/orders/{id}': () => ({ body: { order } }),
    });
    await open('es');
    fireEvent.click(await screen.findByRole('button', { name: 'Editar pedido' }));
    await screen.findByLabelText('Árboles');
    expect(screen.getByLabelText<HTMLInputElement>('Valor').value).toBe('20,00');
    type('Árboles', '2.000');
    type('Valor', '288.050,00');
    type('Latitud', '4.637215, -75.487032');
    expect(screen.getByText('Entendido: 2.000')).toBeTruthy();
    expect(screen.getByText('Entendido: COP 288.050,00')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Guardar cambios' }));
    await waitFor(() =>
      expect(saved(requests)[0]?.body).toEqual({
        trees: 2000,
        amount: 28_805_000,
        currency: 'COP',
        coordinates: { latitude: 4.637215, longitude: -75.487032 },
      }),
    );
  });

  test('shows problems beside their fields and sends nothing', async () => {
    const requests = fakeApi({ 'GET /api/admin/orders/{id}': () => ({ body: { order } }) });
    await edit();
    type('Trees', '');
    type('Longitude', '');
    type('Customer email', 'emma@mail');
    save();
    await screen.findByText('Please enter at least 1 tree');
    await screen.findByText('Latitude and longitude go together: fill in both or none');
    await screen.findByText('This address is not complete. Example: name@mail.com');
    expect(screen.getByLabelText('Trees').getAttribute('aria-invalid')).toBe('true');
    expect(saved(requests)).toEqual([]);
    await discard();
  });

  test('offers to swap exchanged coordinates with one press', async () => {
    const requests = fakeApi({
      'GET /api/admin/orders/{id}': () => ({ body: { order } }),
      'PUT /api/admin/orders/{id}': () => ({ body: { order } }),
    });
    await edit();
    type('Latitude', '-75.487');
    type('Longitude', '4.637');
    save();
    await screen.findByText('Latitude and longitude look swapped');
    expect(saved(requests)).toEqual([]);
    fireEvent.click(screen.getByRole('button', { name: 'Swap latitude and longitude' }));
    await waitFor(() => expect(screen.queryByText('Latitude and longitude look swapped')).toBeNull());
    save();
    await waitFor(() =>
      expect(saved(requests)[0]?.body).toEqual({ coordinates: { latitude: 4.637, longitude: -75.487 } }),
    );
  });

  test('clears the problem of a place when its other half is corrected', async () => {
    fakeApi({ 'GET /api/admin/orders/{id}': () => ({ body: { order } }) });
    await edit();
    type('Latitude', '-75.487');
    type('Longitude', '4.637');
    save();
    await screen.findByText('Latitude and longitude look swapped');
    type('Longitude', '-75.487');
    await screen.findByText('This place is not in Colombia. Check both numbers');
    type('Latitude', '4.637');
    await waitFor(() => expect(screen.queryByText(/not in Colombia|look swapped/)).toBeNull());
    await discard();
  });

  test('a failed edit shows the reason and keeps the input', async () => {
    fakeApi({
      'GET /api/admin/orders/{id}': () => ({ body: { order } }),
      'PUT /api/admin/orders/{id}': () => refusal(500, 'unknown'),
    });
    await edit();
    type('Notes', 'By the gate.');
    save();
    await screen.findByText('Failed to update order');
    expect((screen.getByLabelText('Notes') as HTMLTextAreaElement).value).toBe('By the gate.');
    await discard();
  });

  test('shows a concurrent change, keeps the input, and saves over the new version', async () => {
    const fresh = { ...order, trees: 8, version: 2 };
    let changed = false;
    const requests = fakeApi({
      'GET /api/admin/orders/{id}': () => ({ body: { order: changed ? fresh : order } }),
      'PUT /api/admin/orders/{id}': ({ headers }) =>
        headers['If-Match'] === '"2"' ? { body: { order: fresh } } : refusal(412, 'precondition-failed'),
    });
    await edit();
    type('Notes', 'By the gate.');
    changed = true;
    save();
    const alert = within(await screen.findByRole('alert'));
    expect((await alert.findByRole('listitem')).textContent).toMatch(/Trees: 5 → to 8/);
    expect((screen.getByLabelText('Trees') as HTMLInputElement).value).toBe('8');
    expect((screen.getByLabelText('Notes') as HTMLTextAreaElement).value).toBe('By the gate.');
    save();
    await screen.findByText('Order updated successfully!');
    expect(saved(requests).at(-1)!.body).toEqual({ notes: 'By the gate.' });
  });

  test('asks before closing with unsaved input, and restores the draft later', async () => {
    fakeApi({ 'GET /api/admin/orders/{id}': () => ({ body: { order } }) });
    await edit();
    type('Notes', 'Half a thought');
    fireEvent.click(screen.getAllByRole('button', { name: 'Close' })[0]!);
    await screen.findByRole('dialog', { name: 'Discard your changes?' });
    expect(closed).toBe(0);
    cleanup();

    await open();
    await screen.findByText('This is what you had typed and not saved.');
    expect((screen.getByLabelText('Notes') as HTMLTextAreaElement).value).toBe('Half a thought');
    await discard();
    expect(closed).toBe(1);
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
    await open();
    fireEvent.click(await screen.findByRole('tab', { name: 'Emails' }));
    fireEvent.click(await screen.findByRole('button', { name: 'Resend: Receipt, to emma@mail.test' }));
    await screen.findByText('On its way again.');
    fireEvent.click(screen.getByRole('tab', { name: 'Order' }));
    type('New note', 'Called.');
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
    await open();
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

  test('the history begins with the newest entry', async () => {
    const by = { role: 'system' } as const;
    const timeline = [
      { at: '2026-11-20T15:00:00Z', type: 'paid', by },
      { at: '2026-11-21T15:00:00Z', type: 'photo', by },
    ];
    fakeApi({ 'GET /api/admin/orders/{id}': () => ({ body: { order: adminOrder({ timeline }) } }) });
    await open();
    fireEvent.click(await screen.findByRole('tab', { name: /^History/ }));
    const entries = within(screen.getByRole('list', { name: 'History' })).getAllByRole('listitem');
    expect(entries.map(({ textContent }) => /Paid|Photo arrived/.exec(textContent)![0])).toEqual([
      'Photo arrived',
      'Paid',
    ]);
  });

  test('an order is assigned from a list of workers with region, load and room, best first', async () => {
    const assignment = {
      _id: 'a1',
      orderId: ID,
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
    await open();
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

  test('shows refunded money in the payment', async () => {
    fakeApi({
      'GET /api/admin/orders/{id}': () => ({ body: { order: adminOrder() } }),
      'GET /api/admin/orders/{id}/payment': () => ({ body: { payment: examplePayment() } }),
    });
    await open();
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
    await open();
    await screen.findByText(/^USD\s5\.00 still has to go back: the refund failed\./);
    fireEvent.click(screen.getByRole('button', { name: 'Money stays here…' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'The money stays here' }));
    fireEvent.click(dialog.getByRole('button', { name: 'The money stays' }));
    await dialog.findByText('Say why the money stays');
    fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: ' They gave it ' } });
    fireEvent.click(dialog.getByRole('button', { name: 'The money stays' }));
    await screen.findByText('Stays here: They gave it');
    expect(screen.queryByText(/still has to go back/)).toBeNull();
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
    await open();
    await screen.findByText(/^The bank took USD\s15\.00 back: the dispute is lost\.$/);
    expect(screen.queryByText(/disputes USD\s20\.00/)).toBeNull();
  });

  test('names a photo that cannot be shown, and what to do', async () => {
    const requests = fakeApi({
      'GET /api/admin/orders/{id}': () => ({ body: { order } }),
      'GET /api/admin/photos': () => ({
        body: { photos: [flaggedPhoto({ isReady: false, flags: ['cannot-be-shown'] })] },
      }),
    });
    await open();
    await screen.findByText(/sent a photo \(.+\) on .+ that cannot be shown\. Their portal asks for another/);
    expect(screen.getByRole('link', { name: 'See photos' }).getAttribute('href')).toContain('view=photos');
    const { url } = requests.find(({ key }) => key === 'GET /api/admin/photos')!;
    expect(new URL(url, 'http://localhost').search).toContain(`order=${ID}`);
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
    await open();
    await screen.findByText(/^Luz reports “Planted” for this order/);
    fireEvent.click(screen.getByRole('tab', { name: /^History/ }));
    screen.getByText('Reported by someone who no longer had the order');
    cleanup();
    status = 'planted';
    await open();
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
    await open();
    await screen.findByText(/^Withdrawn: the bank took the money back before anything was planted/);
    screen.getByText('Taken back by the bank');
    screen.getByText(/^USD\s15\.00$/);
  });

  test('shows four dates, notes and photos, and changes the status after confirmation', async () => {
    const requests = fakeApi({
      'GET /api/admin/orders/{id}': () => ({ body: { order } }),
      'PUT /api/admin/orders/{id}/status': () => ({ body: { order: { ...order, status: 'planted' } } }),
    });
    await open();
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

  test('an edit offers eight currencies, and places to a millionth of a degree', async () => {
    const requests = fakeApi({
      'GET /api/admin/orders/{id}': () => ({ body: { order } }),
      'PUT /api/admin/orders/{id}': () => ({ body: { order } }),
    });
    await edit();
    const currencies = within(screen.getByLabelText('Currency')).getAllByRole<HTMLOptionElement>('option');
    expect(currencies.map(({ value }) => value)).toEqual([
      'USD',
      'EUR',
      'GBP',
      'CAD',
      'AUD',
      'COP',
      'MXN',
      'BRL',
    ]);
    type('Latitude', '4.6372149');
    type('Longitude', '-75.4870316');
    save();
    await waitFor(() =>
      expect(saved(requests)[0]?.body).toEqual({
        coordinates: { latitude: 4.637215, longitude: -75.487032 },
      }),
    );
  });
});

describe('History', () => {
  const AT = '2026-12-12T14:40:00Z';

  const open = (...entries: HistoryEntry[]) =>
    renderScreen(<History entries={entries} currency="USD" />, { texts: ['admin'] });

  /** Top-level entries only, without nested lists. */
  const lines = () =>
    screen
      .getAllByRole('listitem')
      .filter(({ parentElement }) => parentElement?.tagName === 'OL')
      .map(({ textContent }) => textContent);

  test('lists actors and actions in chronological order', async () => {
    await open(
      { at: AT, type: 'paid', by: { role: 'customer', name: 'Emma' } },
      { at: AT, type: 'created', by: { role: 'system' } },
      { at: AT, type: 'photo', by: { role: 'worker', name: 'Marleny' } },
    );
    const [paid, created, photo] = lines();
    expect(paid).toMatch(/Paid.*By Emma, customer/);
    expect(created).toMatch(/Order created.*By the system/);
    expect(photo).toMatch(/Photo arrived.*By Marleny, field worker/);
  });

  test('a status change shows both statuses, the actor and the reason', async () => {
    await open({
      at: AT,
      type: 'status_changed',
      by: { role: 'admin', name: 'Lucía' },
      from: 'planted',
      to: 'assigned',
      reason: 'Wrong plot.',
      note: 'The stream moved.',
    });
    expect(lines()[0]).toMatch(/Planted.*to.*Assigned.*By Lucía, admin.*Wrong plot\.The stream moved\./);
  });

  test('gives times in machine-readable form as well', async () => {
    await open({ at: AT, type: 'paid', by: { role: 'system' } });
    expect(screen.getByRole('listitem').querySelector('time')!.dateTime).toBe(AT);
  });

  test('shows unknown entry types under their own names', async () => {
    await open({ at: AT, type: 'address_corrected', by: { role: 'admin', name: 'Lucía' } });
    expect(lines()[0]).toContain('address_corrected');
  });

  test('an edit shows each field before and after; money is shown with its currency', async () => {
    const by = { role: 'admin', name: 'Lucía' } as const;
    await open(
      {
        at: AT,
        type: 'edited',
        by,
        changes: [
          { field: 'trees', from: 5, to: 6 },
          { field: 'notes', to: 'By the gate.' },
        ],
      },
      { at: AT, type: 'refunded', by, amount: 500, currency: 'USD', reason: 'Ordered twice.', isFull: false },
      { at: AT, type: 'reassigned', by, fromWorker: 'Mateo', toWorker: 'Yuliana' },
    );
    const [edited, refunded, reassigned] = lines();
    expect(edited).toMatch(/Edited.*Trees: 5 → to 6.*Notes: empty → to By the gate\./);
    expect(refunded).toMatch(/Refunded.*USD\s5\.00.*Ordered twice\./);
    expect(reassigned).toMatch(/Mateo → Yuliana/);
  });
});

describe('edit', () => {
  const base = baseOf(finishedAdminOrder(), 'en').values;

  const edit = (changes: Partial<typeof base>) => editOf(base, { ...base, ...changes }, 'en');

  test('fields show major units and six decimals', () => {
    expect(base).toMatchObject({
      trees: '5',
      amount: '20.00',
      latitude: '4.637214',
      longitude: '-75.487031',
    });
    expect(baseOf(adminOrder({ amount: 1500, currency: 'JPY' }), 'en').values.amount).toBe('1500');
    expect(baseOf(adminOrder({ amount: 8_230_050, currency: 'COP' }), 'es').values.amount).toBe('82300,50');
  });

  test('multiplies an amount by 100 and rounds, except for currencies without decimals', () => {
    expect(edit({ amount: '1.0050' })).toEqual({ amount: 101, currency: 'USD' });
    expect(edit({ amount: '82300.50', currency: 'COP' })).toEqual({ amount: 8_230_050, currency: 'COP' });
    expect(edit({ amount: '1500', currency: 'JPY' })).toEqual({ amount: 1500, currency: 'JPY' });
  });

  test('parses trees as an integer, 0 when invalid', () => {
    expect(['7', '7.9', '', 'many', '2.000'].map(treesOf)).toEqual([7, 7, 0, 0, 2000]);
  });

  test('sends only changed fields', () => {
    expect(edit({})).toBeUndefined();
    expect(edit({ trees: '6', notes: '' })).toEqual({ trees: 6, notes: null });
    expect(edit({ customerName: ' Emma C. ' })).toEqual({ customerName: 'Emma C.' });
  });

  test('sends amount and currency together, and latitude and longitude together', () => {
    expect(edit({ currency: 'EUR' })).toEqual({ amount: 2000, currency: 'EUR' });
    expect(edit({ latitude: '4.5' })).toEqual({ coordinates: { latitude: 4.5, longitude: -75.487031 } });
    expect(edit({ latitude: '', longitude: '' })).toEqual({ coordinates: null });
  });

  test('merges concurrent changes into untouched fields and keeps typed ones', () => {
    const fresh = { ...base, trees: '8', notes: 'By the stream.' };
    const typed = { ...base, notes: 'By the gate.' };
    const { values, meanwhile } = merge(base, fresh, typed);
    expect(values).toMatchObject({ trees: '8', notes: 'By the gate.' });
    expect(meanwhile).toEqual([
      { field: 'trees', from: '5', to: '8' },
      { field: 'notes', from: 'Upper edge of the plot.', to: 'By the stream.' },
    ]);
    expect(isTouched(fresh, values)).toBe(true);
  });

  test('offers eight usual currencies', () => {
    expect(EDIT_CURRENCIES).toEqual(['USD', 'EUR', 'GBP', 'CAD', 'AUD', 'COP', 'MXN', 'BRL']);
  });
});

const good = baseOf(finishedAdminOrder(), 'en').values;

const faults = (changes: Partial<EditValues>) =>
  (editSchema('en', good).safeParse({ ...good, ...changes }).error?.issues ?? []).map(
    ({ path, message }) => `${path.join()} ${message}`,
  );

test('accepts an unchanged order; a place is optional', () => {
  expect(faults({})).toEqual([]);
  expect(faults({ latitude: '', longitude: '', location: '', notes: '' })).toEqual([]);
});

test.each([
  [{ trees: '' }, 'trees trees'],
  [{ trees: '0' }, 'trees trees'],
  [{ trees: '10001' }, 'trees treesMany'],
  [{ amount: '' }, 'amount amount'],
  [{ amount: '-1' }, 'amount amount'],
  [{ amount: 'ten' }, 'amount amount'],
  [{ amount: '288.050' }, 'amount ambiguous'],
  [{ trees: '20.000' }, 'trees treesMany'],
  [{ customerEmail: 'emma@mail' }, 'customerEmail email'],
  [{ customerName: ' ' }, 'customerName name'],
  [{ latitude: '90.000001' }, 'latitude latitude'],
  [{ longitude: '-180.5' }, 'longitude longitude'],
  [{ latitude: '' }, 'longitude together'],
  [{ latitude: '0', longitude: '0' }, 'latitude zero'],
  [{ longitude: '0' }, 'longitude zero'],
  [{ latitude: '-75.487031', longitude: '4.637214' }, 'latitude swapped'],
  [{ longitude: '75.487031' }, 'longitude minus'],
  [{ latitude: '40.4168', longitude: '-3.7038' }, 'latitude outside'],
])('refuses %j', (changes, fault) => {
  expect(faults(changes)).toEqual([fault]);
});

test('an existing implausible place does not block another edit', () => {
  const abroad = { ...good, latitude: '40.416800', longitude: '-3.703800' };
  expect(editSchema('en', abroad).safeParse({ ...abroad, notes: 'By the gate.' }).success).toBe(true);
});
