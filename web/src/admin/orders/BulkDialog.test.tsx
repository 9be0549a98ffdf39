import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { linesOf, openOrders, page, workers } from '../../test/admin-orders.tsx';
import { adminOrder, refusal } from '../../test/fixtures.ts';
import { fakeApi } from '../../test/server.ts';

beforeEach(() => localStorage.clear());

afterEach(cleanup);

describe('several orders', () => {
  const one = adminOrder({ _id: '65f0c0ffee0000000000aaa1', shortId: '00AAA1', customerName: 'Ona' });
  const two = adminOrder({ _id: '65f0c0ffee0000000000aaa2', shortId: '00AAA2', customerName: 'Tao' });
  const three = adminOrder({
    _id: '65f0c0ffee0000000000aaa3',
    shortId: '00AAA3',
    customerName: 'Tess',
    status: 'planted',
  });

  const idOf = (url: string) => /orders\/([0-9a-f]{24})/.exec(url)![1];

  const serve = (handlers: Parameters<typeof fakeApi>[0]) =>
    fakeApi({
      'GET /api/admin/orders/manage': () => page(one, two, three),
      'GET /api/admin/orders/export': () => 'lost',
      'GET /api/admin/orders/{id}': ({ url }) => ({
        body: { order: [one, two, three].find(({ _id }) => _id === idOf(url)) },
      }),
      'GET /api/admin/workers/workloads': workers,
      ...handlers,
    });

  const chooseAll = async (act: string) => {
    fireEvent.click(await screen.findByRole('checkbox', { name: 'Choose all orders of this page' }));
    await screen.findByRole('option', { name: 'Beto' });
    fireEvent.click(screen.getByRole('button', { name: act }));
    return within(await screen.findByRole('dialog'));
  };

  test('change their status after one question, and each says what happened to it', async () => {
    const requests = serve({
      'PUT /api/admin/orders/{id}/status': ({ url }) =>
        idOf(url) === two._id
          ? refusal(409, 'order-unpaid')
          : { body: { order: { ...one, status: 'planted' } } },
    });
    await openOrders();
    const dialog = await chooseAll('Change status…');
    fireEvent.change(dialog.getByLabelText('New status'), { target: { value: 'planted' } });
    expect(linesOf(dialog)).toEqual([
      '00AAA1OnaPending → Planted',
      '00AAA2TaoPending → Planted',
      '00AAA3TessStays as it is: it has this status',
    ]);
    expect(requests.some(({ key }) => key.startsWith('PUT'))).toBe(false);
    fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: 'Seen.' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Change 2 orders' }));
    await dialog.findByText(/^1 order changed\. 1 stayed as it was\. 1 was not changed/);
    expect(linesOf(dialog)[0]).toBe('00AAA1OnaDone');
    expect(linesOf(dialog)[1]).toMatch(/^00AAA2Tao(?!Done)/);
    const sent = requests.filter(({ key }) => key.startsWith('PUT'));
    expect(sent.map(({ url }) => idOf(url)).sort()).toEqual([one._id, two._id]);
    expect(sent[0]!.body).toEqual({ status: 'planted', reason: 'Seen.' });
    fireEvent.click(dialog.getAllByRole('button', { name: 'Close' }).at(-1)!);
    // Orders that failed stay chosen.
    await screen.findByText('1 order chosen');
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Choose order 00AAA2' }).checked).toBe(
      true,
    );
  });

  test('are not changed when somebody else was faster', async () => {
    const requests = serve({
      'GET /api/admin/orders/{id}': () => ({ body: { order: { ...one, status: 'completed' } } }),
    });
    await openOrders();
    const dialog = await chooseAll('Change status…');
    fireEvent.click(dialog.getByRole('button', { name: 'Change 3 orders' }));
    await dialog.findByText(/3 were not changed/);
    expect(linesOf(dialog)[0]).toBe('00AAA1OnaNot changed: someone else changed it first');
    expect(requests.some(({ key }) => key.startsWith('PUT'))).toBe(false);
  });

  test('go to a worker of the list, best first', async () => {
    const requests = serve({
      'GET /api/admin/orders/{id}/assignment': () => ({ body: { assignment: { revision: 4 } } }),
      'PUT /api/admin/orders/{id}/assignment': () => ({
        body: { assignment: {}, changed: true, overCapacityTrees: 0 },
      }),
    });
    await openOrders();
    const dialog = await chooseAll('Assign…');
    const radios = dialog.getAllByRole<HTMLInputElement>('radio');
    expect(radios.map(({ value }) => value)).toEqual(['w-Ana', 'w-Beto']);
    expect(dialog.getByText('11 trees over capacity')).toBeTruthy();
    fireEvent.click(dialog.getByRole('button', { name: /^Assign 3 orders/ }));
    await dialog.findByText('Choose a worker');
    fireEvent.click(radios[0]!);
    expect(linesOf(dialog)[0]).toBe('00AAA1OnaNobody yet → Ana');
    fireEvent.click(dialog.getByRole('button', { name: 'Assign 3 orders to Ana' }));
    await dialog.findByText('3 orders changed.');
    const sent = requests.filter(({ key }) => key === 'PUT /api/admin/orders/{id}/assignment');
    expect(sent.map(({ body }) => body)).toEqual(Array(3).fill({ workerId: 'w-Ana' }));
    expect(sent[0]!.headers['If-Match']).toBe('"4"');
  });

  test('are exported after a question that lists them', async () => {
    const requests = serve({});
    await openOrders();
    const dialog = await chooseAll('Export (CSV)…');
    expect(linesOf(dialog)).toHaveLength(3);
    fireEvent.click(dialog.getByRole('button', { name: 'Export 3 orders' }));
    await dialog.findByText('The file could not be written. Try again.');
    const asked = requests.find(({ key }) => key === 'GET /api/admin/orders/export')!;
    expect(new URLSearchParams(asked.url.split('?')[1]).get('ids')).toBe(
      [one, two, three].map(({ _id }) => _id).join(),
    );
  });
});
