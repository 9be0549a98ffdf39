import { afterEach, describe, expect, test } from '@jest/globals';
import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { formatsOf } from '../../i18n/format.ts';
import { openOrder } from '../../test/admin-orders.tsx';
import { adminOrder } from '../../test/fixtures.ts';
import { renderScreen } from '../../test/render.tsx';
import { fakeApi } from '../../test/server.ts';
import { describeChanges, History } from './History.tsx';
import type { HistoryEntry } from './orders.ts';

afterEach(cleanup);

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

test('the history begins with the newest entry', async () => {
  const by = { role: 'system' } as const;
  const timeline = [
    { at: '2026-11-20T15:00:00Z', type: 'paid', by },
    { at: '2026-11-21T15:00:00Z', type: 'photo', by },
  ];
  fakeApi({ 'GET /api/admin/orders/{id}': () => ({ body: { order: adminOrder({ timeline }) } }) });
  await openOrder();
  fireEvent.click(await screen.findByRole('tab', { name: /^History/ }));
  const entries = within(screen.getByRole('list', { name: 'History' })).getAllByRole('listitem');
  expect(entries.map(({ textContent }) => /Paid|Photo arrived/.exec(textContent)![0])).toEqual([
    'Photo arrived',
    'Paid',
  ]);
});

test('describes an edit with form labels, money, places and empty values', () => {
  const described = describeChanges(
    [
      { field: 'amountMinor', from: 2000, to: 8_230_000 },
      { field: 'currency', from: 'USD', to: 'COP' },
      { field: 'customer.name', from: 'Emma', to: 'Emma Clarke' },
      { field: 'coordinates', to: { latitude: 4.5, longitude: -75.25 } },
      { field: 'trees', from: 1000, to: 2000 },
    ],
    'COP',
    formatsOf('en'),
  );
  expect(described).toEqual([
    { field: 'amount', from: 'USD\u00a020.00', to: 'COP\u00a082,300' },
    { field: 'currency', from: 'USD', to: 'COP' },
    { field: 'customerName', from: 'Emma', to: 'Emma Clarke' },
    { field: 'coordinates', from: '', to: '4.500000, -75.250000' },
    { field: 'trees', from: '1,000', to: '2,000' },
  ]);
});
