import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { useLocation } from 'react-router-dom';
import { Toasts } from '../design/components/Toasts.tsx';
import { keepToken, readToken } from '../session/token-store.ts';
import { CUSTOMER, refusal } from '../test/fixtures.ts';
import { renderScreen } from '../test/render.tsx';
import { fakeApi, lastOf } from '../test/server.ts';
import { ConfirmEmailPage } from './ConfirmEmailPage.tsx';
import { ForgotPasswordPage } from './ForgotPasswordPage.tsx';
import { MailPreferencesPage } from './MailPreferencesPage.tsx';
import { ResetPasswordPage } from './ResetPasswordPage.tsx';

beforeEach(() => localStorage.clear());
afterEach(cleanup);

const texts = ['portal', 'account'] as const;
const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

function Address() {
  const { pathname, search, hash, state } = useLocation();
  const { email } = (state ?? {}) as { email?: string };
  return <output>{pathname + search + hash + (email ? ` ${email}` : '')}</output>;
}
const address = () => screen.getByText(/^\//, { selector: 'output' }).textContent;

const forgot = (role: string) =>
  renderScreen(<ForgotPasswordPage />, { texts, at: `/forgot-password?role=${role}` });

test.each([
  ['customer', 'Email', '/customer-portal'],
  ['worker', 'Worker ID or email', '/worker-portal'],
  ['admin', 'Email', '/admin-dashboard'],
] as const)(
  'a %s gets a link by mail, without learning whether there is an account',
  async (role, label, portal) => {
    const requests = fakeApi({ 'POST /api/auth/{role}/forgot-password': () => ({ status: 202, body: {} }) });
    await forgot(role);
    type(label, ' emma@mail.test ');
    press('Email me the link');
    await screen.findByText('If there is an account for emma@mail.test, an email with a link is on its way.');
    expect([requests[0]!.url, requests[0]!.body]).toEqual([
      `/api/auth/${role}/forgot-password`,
      { email: 'emma@mail.test' },
    ]);
    expect(screen.getByRole('link', { name: 'Back to login' }).getAttribute('href')).toBe(portal);
  },
);

test('keeps the address after a failed request, and allows another try', async () => {
  let online = false;
  fakeApi({ 'POST /api/auth/{role}/forgot-password': () => (online ? { status: 202, body: {} } : 'lost') });
  await forgot('customer');
  type('Email', 'emma@mail.test');
  press('Email me the link');
  await screen.findByText(/We could not reach the server/);
  online = true;
  press('Email me the link');
  await screen.findByText(/an email with a link is on its way/);
});

const reset = (at = '/reset-password#role=worker&token=mailed') =>
  renderScreen(
    <Toasts>
      <ResetPasswordPage />
      <Address />
    </Toasts>,
    { texts, at },
  );
const passwords = (one: string, other = one) => {
  type('New password', one);
  type('Confirm new password', other);
  press('Set password');
};

test('sets a password by link, clears the address bar, and logs in', async () => {
  keepToken('worker', 'former');
  const requests = fakeApi({
    'POST /api/auth/{role}/reset-password': () => ({ body: { email: 'mateo@mail.test', token: 'fresh' } }),
  });
  await reset();
  await waitFor(() => expect(address()).toBe('/reset-password'));
  passwords('ten-letters-long');
  await screen.findByText(/Your password is set, and you are logged in/);
  expect([requests[0]!.url, requests[0]!.body]).toEqual([
    '/api/auth/worker/reset-password',
    { token: 'mailed', password: 'ten-letters-long' },
  ]);
  expect(readToken('worker')).toBe('fresh');
  await waitFor(() => expect(address()).toBe('/worker-portal mateo@mail.test'));
});

test('while two-factor login is on it leads to the login and ends the session of this browser', async () => {
  keepToken('admin', 'former');
  fakeApi({ 'POST /api/auth/{role}/reset-password': () => ({ body: { email: 'rosa@mail.test' } }) });
  await reset('/reset-password#role=admin&token=mailed');
  await waitFor(() => expect(address()).toBe('/reset-password'));
  passwords('ten-letters-long');
  await screen.findByText('Your password is set. Log in with it and your two-factor code.');
  expect(readToken('admin')).toBeNull();
  await waitFor(() => expect(address()).toBe('/admin-dashboard rosa@mail.test'));
});

test('refuses different or short passwords before sending', async () => {
  const requests = fakeApi({});
  await reset();
  passwords('ten-letters-long', 'ten-letters-else');
  await screen.findByText('Passwords do not match');
  passwords('short');
  await screen.findByText('At least 10 characters');
  expect(requests).toEqual([]);
});

test('shows the refusal of a weak password beside its field', async () => {
  fakeApi({
    'POST /api/auth/{role}/reset-password': () =>
      refusal(422, 'validation-failed', 'x', [
        { path: 'password', message: 'This password is too easy to guess.' },
      ]),
  });
  await reset();
  passwords('password1234');
  await screen.findByText('This password is too easy to guess.');
  expect(screen.getByLabelText('New password').getAttribute('aria-invalid')).toBe('true');
});

test.each(['/reset-password#role=customer&token=old', '/reset-password'])(
  '%s explains a link that is of no use, and leads to a new one',
  async (at) => {
    fakeApi({ 'POST /api/auth/{role}/reset-password': () => refusal(400, 'link-invalid') });
    await reset(at);
    if (at.includes('#')) passwords('ten-letters-long');
    await screen.findByText(/This link has expired or was used before/);
    expect(screen.getByRole('link', { name: 'Get a new link' }).getAttribute('href')).toBe(
      '/forgot-password?role=customer',
    );
  },
);

const confirm = () =>
  renderScreen(
    <>
      <ConfirmEmailPage />
      <Address />
    </>,
    { texts, at: '/confirm-email#token=mailed' },
  );

test('confirms a new address for the requesting account among all logged-in ones', async () => {
  keepToken('customer', 'customers');
  keepToken('admin', 'admins');
  const tried: (string | null)[] = [];
  fakeApi({
    'POST /api/auth/me/email/confirm': ({ headers }) => {
      tried.push(new Headers(headers).get('authorization'));
      return tried.at(-1) === 'Bearer admins'
        ? { body: { token: 'fresh', user: { ...CUSTOMER, email: 'new@mail.test' } } }
        : refusal(400, 'link-invalid');
    },
  });
  await confirm();
  await screen.findByText('From now on your address is new@mail.test. Other devices are logged out.');
  expect([readToken('customer'), readToken('admin')]).toEqual(['customers', 'fresh']);
  expect(screen.getByRole('link', { name: 'To my portal' }).getAttribute('href')).toBe('/admin-dashboard');
  expect(address()).toBe('/confirm-email');
});

test('asks for a login in any role first, then confirms the address', async () => {
  fakeApi({
    'POST /api/auth/worker/login': () => ({ body: { token: 'workers', user: {} } }),
    'POST /api/auth/me/email/confirm': () => ({
      body: { token: 'fresh', user: { ...CUSTOMER, email: 'new@mail.test' } },
    }),
  });
  await confirm();
  press('I plant trees');
  type('Worker ID or email', 'QU-014');
  type('Password', 'something');
  press('Log in');
  await screen.findByText(/From now on your address is new@mail.test/);
  expect(readToken('worker')).toBe('fresh');
});

test('reports a used link', async () => {
  keepToken('customer', 'customers');
  fakeApi({ 'POST /api/auth/me/email/confirm': () => refusal(400, 'link-invalid') });
  await confirm();
  await screen.findByText(/This link has expired, was used before, or belongs to another account/);
});

const preferences = () =>
  renderScreen(<MailPreferencesPage />, { texts, at: '/mail-preferences#token=newsnewsnewsnewsnewsne' });

test('switches news of photos off and on, and reverts a choice that was not saved', async () => {
  let news = true;
  let works = true;
  const requests = fakeApi({
    'GET /api/mail/preferences/{token}': () => ({ body: { news } }),
    'PUT /api/mail/preferences/{token}': ({ body }) => {
      if (!works) return refusal(503, 'unavailable');
      news = (body as { news: boolean }).news;
      return { body: { news } };
    },
  });
  await preferences();
  const choice = await screen.findByLabelText<HTMLInputElement>(
    'Write to me about new photos and growth updates',
  );
  expect(choice.checked).toBe(true);
  fireEvent.click(choice);
  expect(choice.checked).toBe(false);
  await screen.findByText('Saved. This address gets no more emails about photos.');
  expect(lastOf(requests, 'PUT /api/mail/preferences/{token}')!.url).toBe(
    '/api/mail/preferences/newsnewsnewsnewsnewsne',
  );
  works = false;
  fireEvent.click(choice);
  await screen.findByText('This is not available right now. Please try again shortly.');
  expect(choice.checked).toBe(false);
});

test('explains an unknown preferences link and where to find a valid one', async () => {
  fakeApi({ 'GET /api/mail/preferences/{token}': () => refusal(404, 'not-found') });
  await preferences();
  await screen.findByText(/We do not know this link/);
});
