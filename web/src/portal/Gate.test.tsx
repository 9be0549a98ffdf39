import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { keepToken } from '../session/token-store.ts';
import { ADMIN, refusal } from '../testing/people.ts';
import { renderScreen } from '../testing/render.tsx';
import { answer } from '../testing/server.ts';
import { Gate, type OpenSession } from './Gate.tsx';
import { LogIn } from './LogIn.tsx';
import { firstName } from './names.ts';

beforeEach(() => localStorage.clear());
afterEach(cleanup);

const open = () =>
  renderScreen(
    <Gate role="admin" title="The desk" guest={() => <h1>The way in</h1>}>
      {({ person }) => <h1>Inside with {person.name}</h1>}
    </Gate>,
    { texts: ['portal'] },
  );
const menu = () =>
  [...screen.getByRole('navigation').querySelectorAll('a')].map((link) => [
    link.textContent,
    link.getAttribute('href'),
  ]);

test('a guest sees the way in and the guest menu', async () => {
  answer({});
  await open();
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('The way in');
  expect(menu()).toEqual([
    ['Home', '/#home'],
    ['About', '/#about'],
    ['Contribute', '/plant-trees'],
    ['Portal', '/customer-portal'],
  ]);
  expect(screen.queryByRole('button', { name: 'Log out' })).toBeNull();
});

test('who is logged in is greeted by the first name and has a menu of one’s own', async () => {
  keepToken('admin', 'kept');
  answer({ 'GET /api/auth/admin/verify': () => ({ body: { user: ADMIN } }) });
  await open();
  await screen.findByText('Inside with Lucía Restrepo');
  expect(screen.getByText('Welcome, Lucía')).toBeTruthy();
  expect(menu()).toEqual([
    ['Home', '/'],
    ['Dashboard', '/admin-dashboard'],
  ]);
});

test('while the token is checked the page has its heading already, and no guest menu', async () => {
  keepToken('admin', 'kept');
  answer({ 'GET /api/auth/admin/verify': () => ({ body: { user: ADMIN } }) });
  await open();
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('The desk');
  expect(menu()).toHaveLength(2);
  await screen.findByText('Inside with Lucía Restrepo');
});

test('without a connection one may try again or log out', async () => {
  keepToken('admin', 'kept');
  answer({ 'GET /api/auth/admin/verify': () => 'lost' });
  await open();
  await screen.findByText(/We could not reach the server/);
  expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Log out' }));
  await screen.findByText('The way in');
});

test('a role may have links of its own', async () => {
  keepToken('admin', 'kept');
  answer({ 'GET /api/auth/admin/verify': () => ({ body: { user: ADMIN } }) });
  await renderScreen(
    <Gate
      role="admin"
      title="The desk"
      guest={() => null}
      links={[{ to: '/admin-dashboard?view=security', label: 'Security' }]}
    >
      {() => <h1>Inside</h1>}
    </Gate>,
    { texts: ['portal'] },
  );
  await screen.findByText('Inside');
  expect(menu()[2]).toEqual(['Security', '/admin-dashboard?view=security']);
});

describe('when the server ends the session', () => {
  function Note({ session }: { session: OpenSession<'admin'> }) {
    const load = () => void session.call('GET /api/admin/orders/manage').catch(() => undefined);
    return (
      <>
        <h1>Inside with {session.person.name}</h1>
        <input aria-label="Note" defaultValue="" />
        <button onClick={load}>load</button>
      </>
    );
  }
  const ended = async (verified: () => object) => {
    keepToken('admin', 'kept');
    answer({
      'GET /api/auth/admin/verify': () => ({ body: { user: verified() } }),
      'GET /api/admin/orders/manage': () => refusal(401, 'unauthenticated'),
      'POST /api/auth/admin/login': () => ({ body: { token: 'fresh' } }),
    });
    await renderScreen(
      <Gate role="admin" title="The desk" guest={(logIn) => <LogIn role="admin" onLogIn={logIn} />}>
        {(session) => <Note session={session} />}
      </Gate>,
      { texts: ['portal'] },
    );
    await screen.findByText('Inside with Lucía Restrepo');
    fireEvent.change(screen.getByLabelText('Note'), { target: { value: 'half a sentence' } });
    fireEvent.click(screen.getByText('load'));
    await screen.findByText(/Your session was ended/);
    expect(isVisible(screen.getByLabelText('Note'))).toBe(false);
    fireEvent.change(screen.getByLabelText('Email'), { target: { value: 'lucia@mail.test' } });
    fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'secret-words' } });
    fireEvent.click(screen.getByRole('button', { name: 'Log in' }));
  };
  const isVisible = (element: HTMLElement): boolean => {
    for (let at: HTMLElement | null = element; at; at = at.parentElement)
      if (at.style.display === 'none') return false;
    return true;
  };

  test('log-in says why, and the same person finds what they had typed', async () => {
    await ended(() => ADMIN);
    await waitFor(() => expect(isVisible(screen.getByLabelText('Note'))).toBe(true));
    expect(screen.getByLabelText<HTMLInputElement>('Note').value).toBe('half a sentence');
    expect(screen.queryByText(/Your session was ended/)).toBeNull();
  });

  test('somebody else finds nothing of it', async () => {
    const other = { ...ADMIN, id: 'a2', name: 'Nora Sáenz' };
    let verified = 0;
    await ended(() => (verified++ === 0 ? ADMIN : other));
    await screen.findByText('Inside with Nora Sáenz');
    expect(screen.getByLabelText<HTMLInputElement>('Note').value).toBe('');
    expect(screen.queryByText('Inside with Lucía Restrepo')).toBeNull();
  });
});

test.each([
  ['Lucía Restrepo', 'Lucía'],
  ['  Mateo  Ríos ', 'Mateo'],
  ['Cher', 'Cher'],
])('%j is greeted as %s', (name, first) => {
  expect(firstName(name)).toBe(first);
});
