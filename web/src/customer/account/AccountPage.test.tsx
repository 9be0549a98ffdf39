import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { keepToken, readToken } from '../../session/token-store.ts';
import { CUSTOMER, refusal } from '../../test/fixtures.ts';
import { renderScreen } from '../../test/render.tsx';
import { fakeApi } from '../../test/server.ts';
import { AccountPage } from './AccountPage.tsx';

beforeEach(() => {
  localStorage.clear();
  keepToken('customer', 'kept');
});
afterEach(cleanup);

async function open(handlers: Parameters<typeof fakeApi>[0]) {
  const requests = fakeApi({
    'GET /api/auth/customer/verify': () => ({ body: { user: CUSTOMER } }),
    ...handlers,
  });
  await renderScreen(<AccountPage />, {
    texts: ['portal', 'customer', 'account'],
    at: '/customer-portal/account',
    pattern: '/customer-portal/account',
  });
  await screen.findByText('Welcome, Emma');
  return requests;
}

const section = (name: string) => within(screen.getByRole('region', { name }));
const type = (place: ReturnType<typeof section>, label: string, value: string) =>
  fireEvent.change(place.getByLabelText(label), { target: { value } });
const press = (place: ReturnType<typeof section>, name: string) =>
  fireEvent.click(place.getByRole('button', { name }));
const wrongPassword = () =>
  refusal(422, 'validation-failed', 'Please check the marked fields.', [
    { path: 'currentPassword', message: 'This is not your current password.' },
  ]);

test('saves another language and switches the page to it', async () => {
  const requests = await open({
    'PUT /api/auth/me': ({ body }) => ({
      body: { token: 'fresh', user: { ...CUSTOMER, ...(body as object) } },
    }),
  });
  const details = section('Name and language');
  type(details, 'Language', 'es');
  press(details, 'Save');
  await screen.findByRole('heading', { name: 'Tu cuenta' });
  expect(requests.find(({ key }) => key === 'PUT /api/auth/me')!.body).toEqual({
    name: 'Emma Clarke',
    language: 'es',
  });
  expect(readToken('customer')).toBe('fresh');
});

test('another address waits for its link; a wrong password is shown beside its field', async () => {
  let right = false;
  await open({ 'PUT /api/auth/me/email': () => (right ? { status: 202, body: {} } : wrongPassword()) });
  const email = section('Email');
  email.getByText(/You log in with emma@mail.test/);
  type(email, 'New email', 'new@mail.test');
  type(email, 'Current password', 'guess');
  press(email, 'Change email');
  await email.findByText('This is not your current password.');
  right = true;
  type(email, 'Current password', 'right');
  press(email, 'Change email');
  await email.findByText('We sent a link to new@mail.test. Until you open it, nothing changes.');
});

test('refuses an address with an account beside its field', async () => {
  await open({ 'PUT /api/auth/me/email': () => refusal(409, 'email-taken') });
  const email = section('Email');
  type(email, 'New email', 'new@mail.test');
  type(email, 'Current password', 'right');
  press(email, 'Change email');
  await email.findByText(/There is an account with this email already/);
  expect(email.getByLabelText('New email').getAttribute('aria-invalid')).toBe('true');
});

test('news of photos are switched off and on, while receipts cannot be', async () => {
  let news = true;
  let online = true;
  const requests = await open({
    'GET /api/customers/mail-preferences': () => ({ body: { news } }),
    'PUT /api/customers/mail-preferences': ({ body }) => {
      if (!online) return 'lost';
      news = (body as { news: boolean }).news;
      return { body: { news } };
    },
  });
  const emails = section('Emails');
  emails.getByText(/Receipts cannot be switched off/);
  const choice = await emails.findByRole<HTMLInputElement>('checkbox', { name: /new photos and growth/ });
  expect(choice.checked).toBe(true);
  fireEvent.click(choice);
  await emails.findByText('Saved. This address gets no more emails about photos.');
  expect(requests.find(({ key }) => key === 'PUT /api/customers/mail-preferences')!.body).toEqual({
    news: false,
  });
  online = false;
  fireEvent.click(choice);
  await emails.findByRole('alert');
  await waitFor(() => expect(choice.checked).toBe(false));
});

test('emails are chosen once the address is verified', async () => {
  await open({
    'GET /api/auth/customer/verify': () => ({ body: { user: { ...CUSTOMER, emailVerified: false } } }),
  });
  section('Emails').getByText('Verify emma@mail.test first. Then you can choose here.');
});

test('a new password needs the current one, and keeps this browser logged in', async () => {
  const requests = await open({ 'PUT /api/auth/me/password': () => ({ body: { token: 'fresh' } }) });
  const password = section('Password');
  type(password, 'Current password', 'old-password');
  type(password, 'New password', 'ten-letters-long');
  type(password, 'Confirm new password', 'ten-letters-else');
  press(password, 'Change password');
  await password.findByText('Passwords do not match');
  type(password, 'Confirm new password', 'ten-letters-long');
  press(password, 'Change password');
  await password.findByText(/Your password is changed/);
  expect(requests.find(({ key }) => key === 'PUT /api/auth/me/password')!.body).toEqual({
    currentPassword: 'old-password',
    newPassword: 'ten-letters-long',
  });
  expect(readToken('customer')).toBe('fresh');
});

test('exports all stored data as one file', async () => {
  const files: Blob[] = [];
  URL.createObjectURL = (file) => (files.push(file as Blob), 'blob:export');
  HTMLAnchorElement.prototype.click = () => {};
  await open({
    'GET /api/auth/me/export': () => ({ body: { account: { name: 'Emma Clarke' } } }),
    'GET /api/customers/orders/export': () => ({ body: { orders: [] } }),
  });
  press(section('Your data'), 'Download my data');
  await screen.findByText('The file is in your downloads.');
  expect(files).toHaveLength(1);
});

test('logging out everywhere asks first, and ends this session as well', async () => {
  await open({ 'POST /api/auth/me/log-out-everywhere': () => ({ body: {} }) });
  press(section('Devices'), 'Log out everywhere');
  const dialog = within(screen.getByRole('dialog', { name: 'Log out on all devices?' }));
  fireEvent.click(dialog.getByRole('button', { name: 'Log out everywhere' }));
  await screen.findByText('elsewhere');
  expect(readToken('customer')).toBeNull();
});

test('deletion explains its effects, requires the password, and ends the session', async () => {
  let right = false;
  await open({ 'POST /api/auth/me/deletion': () => (right ? { status: 202, body: {} } : wrongPassword()) });
  press(section('Delete account'), 'Delete my account');
  const dialog = within(screen.getByRole('dialog', { name: 'Delete your account for good?' }));
  for (const words of [/your account, with name/, /your trees, their place/]) dialog.getByText(words);
  const submit = () => fireEvent.submit(dialog.getByLabelText('Current password').closest('form')!);
  submit();
  await dialog.findByText('Please fill this in');
  fireEvent.change(dialog.getByLabelText('Current password'), { target: { value: 'guess' } });
  submit();
  await dialog.findByText('This is not your current password.');
  expect(readToken('customer')).toBe('kept');
  right = true;
  submit();
  await waitFor(() => expect(readToken('customer')).toBeNull());
  await screen.findByText('elsewhere');
});
