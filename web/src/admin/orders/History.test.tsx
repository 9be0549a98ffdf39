import { afterEach, expect, test } from '@jest/globals';
import { cleanup, screen } from '@testing-library/react';
import { renderScreen } from '../../testing/render.tsx';
import { History } from './History.tsx';
import type { HistoryEntry } from './orders.ts';

afterEach(cleanup);

const AT = '2026-12-12T14:40:00Z';
const open = (...entries: HistoryEntry[]) =>
  renderScreen(<History entries={entries} currency="USD" />, { texts: ['admin'] });
/** Of the history itself, not of what one of its lines lists. */
const lines = () =>
  screen
    .getAllByRole('listitem')
    .filter(({ parentElement }) => parentElement?.tagName === 'OL')
    .map(({ textContent }) => textContent);

test('tells who did what, in the order in which it happened', async () => {
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

test('a change of status shows from what to what, who and why', async () => {
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

test('the moment is there for machines as well', async () => {
  await open({ at: AT, type: 'paid', by: { role: 'system' } });
  expect(screen.getByRole('listitem').querySelector('time')!.dateTime).toBe(AT);
});

test('what is not known by name yet is shown by its own', async () => {
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
  expect(refunded).toMatch(/Money given back.*USD\s5\.00.*Ordered twice\./);
  expect(reassigned).toMatch(/Mateo → Yuliana/);
});
