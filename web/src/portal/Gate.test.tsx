import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { keepToken } from '../session/token-store.ts';
import { ADMIN } from '../testing/people.ts';
import { renderScreen } from '../testing/render.tsx';
import { answer } from '../testing/server.ts';
import { Gate } from './Gate.tsx';
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

test.each([
  ['Lucía Restrepo', 'Lucía'],
  ['  Mateo  Ríos ', 'Mateo'],
  ['Cher', 'Cher'],
])('%j is greeted as %s', (name, first) => {
  expect(firstName(name)).toBe(first);
});
