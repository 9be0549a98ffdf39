import { afterEach, expect, test } from '@jest/globals';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { call } from '../../api/client.ts';
import { ADMIN, refusal } from '../../testing/people.ts';
import { renderScreen } from '../../testing/render.tsx';
import { answer } from '../../testing/server.ts';
import type { Worker } from './workers.ts';
import { WorkersPanel } from './WorkersPanel.tsx';
import { actsOf } from './WorkerTable.tsx';

afterEach(cleanup);

const worker = (changes: Partial<Worker> = {}): Worker => ({
  id: 'w1',
  workerId: 'QU-014',
  name: 'Mateo Ríos',
  email: 'mateo@mail.test',
  emailVerified: true,
  region: 'Quindío',
  capacityTrees: 1000,
  language: 'es',
  active: true,
  invitationPending: false,
  createdAt: '2026-11-20T15:00:00Z',
  revision: 3,
  ...changes,
});
const WORKLOADS = {
  body: {
    workers: [
      {
        ...{ workerId: 'w1', code: 'QU-014', name: 'Mateo Ríos', region: 'Quindío', active: true },
        ...{
          capacityTrees: 1000,
          openTrees: 37,
          openAssignments: 2,
          freeTrees: 963,
          visitsDue: 1,
          treesPlanted: 26,
        },
      },
    ],
  },
};
const served = (workers: Worker[]) => ({
  'GET /api/admin/workers/workloads': () => WORKLOADS,
  'GET /api/admin/workers': () => ({ body: { workers } }),
});
const session = { person: ADMIN, call, logIn: () => undefined, logOut: () => undefined };
const open = (at = '/') => renderScreen(<WorkersPanel session={session} />, { texts: ['admin', 'desk'], at });

test('a worker has their row with what they have to do', async () => {
  answer(served([worker()]));
  await open();
  const row = within(await screen.findByRole('row', { name: /Mateo Ríos/ }));
  await row.findByText('37 of 1,000');
  for (const text of ['QU-014', 'Quindío', 'Active', '2 assignments, 1 visit due', '26'])
    expect(row.getByText(text)).toBeTruthy();
});

test.each([
  [{ active: true, invitationPending: true }, ['edit', 'invite', 'remove']],
  [{ active: false, invitationPending: true }, ['edit', 'reactivate', 'remove']],
  [{ active: true, invitationPending: false }, ['edit', 'deactivate']],
  [{ active: false, invitationPending: false }, ['edit', 'reactivate']],
])('to somebody like %j can be done %j', (who, acts) => {
  expect(actsOf(who)).toEqual(acts);
});

test('before somebody is deactivated it says what becomes of their work, and decides on what was seen', async () => {
  const requests = answer({
    ...served([worker()]),
    'PUT /api/admin/workers/{id}': () => ({ body: { worker: worker({ active: false }) } }),
  });
  await open();
  fireEvent.click(await screen.findByRole('button', { name: 'Deactivate: Mateo Ríos' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Deactivate Mateo Ríos?' }));
  await dialog.findByText(/2 open assignments \(37 trees\)/);
  expect(dialog.getByText(/1 growth visit goes to somebody else/)).toBeTruthy();
  const confirm = dialog.getByRole('button', { name: 'Deactivate' });
  fireEvent.click(confirm);
  fireEvent.click(confirm);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const sent = requests.filter(({ key }) => key.startsWith('PUT'));
  expect(sent.map(({ body, headers }) => [body, headers['If-Match']])).toEqual([[{ active: false }, '"3"']]);
});

test('what is missing is said beside its field, and what is taken too', async () => {
  const requests = answer({
    ...served([]),
    'POST /api/admin/workers': () => refusal(409, 'worker-email-taken'),
  });
  await open('/?worker=new');
  const dialog = within(await screen.findByRole('dialog', { name: 'Add a worker' }));
  fireEvent.click(dialog.getByRole('button', { name: 'Add and invite' }));
  expect(await dialog.findAllByText('Please fill this in')).toHaveLength(3);
  expect(requests.some(({ key }) => key.startsWith('POST'))).toBe(false);
  const type = (label: string, value: string) =>
    fireEvent.change(dialog.getByLabelText(label), { target: { value } });
  type('Name', ' Rosa Chocué ');
  type('Email', 'rosa@mail.test');
  type('Region', 'Cauca');
  type('Capacity', '800');
  fireEvent.click(dialog.getByRole('button', { name: 'Add and invite' }));
  await dialog.findByText('There is a worker with this email already.');
  expect(requests.find(({ key }) => key.startsWith('POST'))!.body).toEqual({
    ...{ name: 'Rosa Chocué', email: 'rosa@mail.test', region: 'Cauca', capacityTrees: 800, language: 'es' },
  });
  expect(dialog.getByLabelText<HTMLInputElement>('Name').value).toContain('Rosa Chocué');
});

test('that somebody else changed a worker meanwhile is said, and nothing is overwritten', async () => {
  answer({ ...served([worker()]), 'PUT /api/admin/workers/{id}': () => refusal(412, 'precondition-failed') });
  await open('/?worker=w1');
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit Mateo Ríos' }));
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
  await dialog.findByText(/Somebody changed this worker meanwhile/);
});
