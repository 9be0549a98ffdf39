import { ADMIN_PROBLEMS } from '@arboleda/contracts/admin-problems.ts';
import { afterEach, expect, test } from '@jest/globals';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { call } from '../../api/client.ts';
import { Toasts } from '../../design/components/Toasts.tsx';
import { ADMIN, managedAdmin, refusal } from '../../test/fixtures.ts';
import { renderScreen } from '../../test/render.tsx';
import { fakeApi } from '../../test/server.ts';
import { KnownProblems } from '../../session/problem-text.ts';
import { AdminRoleContext } from '../permissions.tsx';
import { actionsOf } from '../list/cells/Account.tsx';
import { AdminsPanel } from './AdminsPanel.tsx';

afterEach(cleanup);

const session = { person: ADMIN, call, logIn: () => undefined, logOut: () => undefined };
const ME = managedAdmin({ hasSecondFactor: true });
const CARLA = managedAdmin({
  id: 'a2',
  name: 'Carla Díaz',
  email: 'carla@mail.test',
  role: 'support',
  revision: 5,
});

async function open(admins = [ME, CARLA], handlers: Parameters<typeof fakeApi>[0] = {}, role = 'owner') {
  const requests = fakeApi({ 'GET /api/admin/admins': () => ({ body: { admins } }), ...handlers });
  await renderScreen(
    <AdminRoleContext value={role as 'owner'}>
      <KnownProblems value={ADMIN_PROBLEMS}>
        <Toasts>
          <AdminsPanel session={session} />
        </Toasts>
      </KnownProblems>
    </AdminRoleContext>,
    { texts: ['admin', 'panels', 'admins'] },
  );
  await screen.findByRole('row', { name: /Lucía/ });
  return requests;
}

const row = (name: RegExp) => within(screen.getByRole('row', { name }));
const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }));

test('lists admins with role, state and two-factor login', async () => {
  await open([ME, { ...CARLA, invitationPending: true }]);
  for (const text of ['Lucía Restrepo', '(you)', 'Owner', 'Active', 'On'])
    expect(row(/Lucía/).getByText(text)).toBeTruthy();
  for (const text of ['Support', 'Invited', 'Off']) expect(row(/Carla/).getByText(text)).toBeTruthy();
});

test('an owner invites an admin with a role', async () => {
  const requests = await open([ME], {
    'POST /api/admin/admins': () => ({ status: 201, body: { admin: CARLA } }),
  });
  press('Invite an admin');
  press('Invite');
  await screen.findByText('Choose a role.');
  fireEvent.change(screen.getByLabelText('Name'), { target: { value: 'Carla Díaz' } });
  fireEvent.change(screen.getByLabelText('Email'), { target: { value: ' carla@mail.test ' } });
  fireEvent.click(screen.getByRole('radio', { name: /^Support/ }));
  press('Invite');
  await screen.findByText('Carla Díaz is invited, and an email is on its way.');
  expect(requests.find(({ key }) => key.startsWith('POST'))!.body).toEqual({
    name: 'Carla Díaz',
    email: 'carla@mail.test',
    language: 'es',
    role: 'support',
  });
});

test('a taken address is marked beside its field', async () => {
  await open([ME], { 'POST /api/admin/admins': () => refusal(409, 'admin-email-taken') });
  press('Invite an admin');
  fireEvent.change(screen.getByLabelText('Name'), { target: { value: 'Carla Díaz' } });
  fireEvent.change(screen.getByLabelText('Email'), { target: { value: 'carla@mail.test' } });
  fireEvent.click(screen.getByRole('radio', { name: /^Finance/ }));
  press('Invite');
  await screen.findByText('There is an admin with this email already.');
  expect(screen.getByLabelText('Email').getAttribute('aria-invalid')).toBe('true');
});

test('an owner changes another role, and not their own', async () => {
  const requests = await open([ME, CARLA], {
    'PUT /api/admin/admins/{id}': () => ({ body: { admin: { ...CARLA, role: 'finance' } } }),
  });
  press('Edit: Lucía Restrepo');
  await screen.findByText('Another owner can change your role.');
  expect(screen.queryByRole('radio')).toBeNull();
  press('Cancel');
  press('Edit: Carla Díaz');
  fireEvent.click(screen.getByRole('radio', { name: /^Finance/ }));
  press('Save');
  await screen.findByText('Carla Díaz was saved.');
  const sent = requests.find(({ key }) => key.startsWith('PUT'))!;
  expect(sent.body).toEqual({ name: 'Carla Díaz', role: 'finance' });
  expect(sent.headers['If-Match']).toBe('"5"');
});

test('an invited admin gets another role without an email', async () => {
  await open([ME, { ...CARLA, invitationPending: true }]);
  press('Edit: Carla Díaz');
  await screen.findByText('Their invitation stays valid, and they have this role once they accept it.');
});

test('deactivating asks first', async () => {
  const requests = await open([ME, CARLA], {
    'PUT /api/admin/admins/{id}': () => ({ body: { admin: { ...CARLA, active: false } } }),
  });
  press('Deactivate: Carla Díaz');
  const dialog = within(screen.getByRole('dialog', { name: 'Deactivate Carla Díaz?' }));
  expect(requests.some(({ key }) => key.startsWith('PUT'))).toBe(false);
  fireEvent.click(dialog.getByRole('button', { name: 'Deactivate' }));
  await screen.findByText('Carla Díaz is no longer active.');
});

test('an owner without two-factor login is sent to turn it on', async () => {
  await open([managedAdmin(), CARLA]);
  expect(screen.getByRole('link', { name: 'Go to Security' }).getAttribute('href')).toBe('/?view=security');
  expect(screen.queryByRole('button')).toBeNull();
});

test('an auditor reads the list only', async () => {
  await open([{ ...ME, role: 'auditor' }, CARLA], {}, 'auditor');
  await waitFor(() => expect(screen.queryByRole('button')).toBeNull());
  expect(screen.queryByText(/Turn on two-factor/)).toBeNull();
});

test.each([
  [{ active: true, invitationPending: false }, false, ['edit', 'deactivate']],
  [{ active: false, invitationPending: false }, false, ['edit', 'reactivate']],
  [{ active: true, invitationPending: true }, false, ['edit', 'invite', 'remove']],
  [{ active: false, invitationPending: true }, false, ['edit', 'reactivate', 'remove']],
  [{ active: true, invitationPending: false }, true, ['edit']],
])('%j, oneself %j, can be acted on by %j', (state, isMe, acts) => {
  expect(actionsOf(managedAdmin(state), isMe)).toEqual(acts);
});
