import type { Role } from '@arboleda/contracts/roles.ts';
import { afterEach, expect, test } from '@jest/globals';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import type { Language } from '../i18n/languages.ts';
import { refusal } from '../testing/people.ts';
import { renderScreen } from '../testing/render.tsx';
import { answer } from '../testing/server.ts';
import { LogIn } from './LogIn.tsx';

afterEach(cleanup);

const tokens: string[] = [];
const open = (role: Role, language: Language = 'en') => {
  tokens.length = 0;
  return renderScreen(<LogIn role={role} onLogIn={(token) => tokens.push(token)} />, {
    texts: ['portal'],
    language,
  });
};
const fill = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
const submit = (name = 'Log in') => fireEvent.click(screen.getByRole('button', { name }));
const alert = async () => (await screen.findByRole('alert')).textContent;

test('email and password become a token', async () => {
  const requests = answer({ 'POST /api/auth/customer/login': () => ({ body: { token: 'fresh' } }) });
  await open('customer');
  fill('Email', ' emma@mail.test ');
  fill('Password', 'secret-words');
  submit();
  await waitFor(() => expect(tokens).toEqual(['fresh']));
  expect(requests[0]!.body).toEqual({ email: 'emma@mail.test', password: 'secret-words' });
});

test('what the field labelled worker id holds is sent as the email', async () => {
  const requests = answer({ 'POST /api/auth/worker/login': () => ({ body: { token: 'fresh' } }) });
  await open('worker');
  fill('Worker ID or email', 'QU-014');
  fill('Password', 'secret-words');
  submit();
  await waitFor(() => expect(tokens).toEqual(['fresh']));
  expect(requests[0]!.body).toEqual({ email: 'QU-014', password: 'secret-words' });
});

test('both fields are needed before anything is sent, and the first one gets the focus', async () => {
  const requests = answer({});
  await open('customer');
  submit();
  await waitFor(() => expect(screen.getAllByText('Please fill this in')).toHaveLength(2));
  expect(document.activeElement).toBe(screen.getByLabelText('Email'));
  expect(requests).toEqual([]);
});

const enter = () => {
  fill('Email', 'emma@mail.test');
  fill('Password', 'wrong');
  submit();
};

test.each([
  ['the server’s own sentence', refusal(401, 'invalid-credentials'), 'This email and password do not match.'],
  ['too many attempts', refusal(429, 'too-many-requests'), 'Too many attempts. Please wait a moment.'],
  ['no sentence', { status: 500, body: undefined }, 'Login failed'],
  ['no network', 'lost' as const, 'Login failed. Please try again.'],
])('%s is shown, and what was typed stays', async (_what, reply, text) => {
  answer({ 'POST /api/auth/customer/login': () => reply });
  await open('customer');
  enter();
  expect(await alert()).toBe(text);
  expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('emma@mail.test');
  expect(tokens).toEqual([]);
});

test('a refusal speaks the page’s language', async () => {
  answer({ 'POST /api/auth/customer/login': () => refusal(429, 'too-many-requests', 'Too many attempts.') });
  await open('customer', 'es');
  fill('Correo', 'emma@mail.test');
  fill('Contraseña', 'mala');
  submit('Entrar');
  expect(await alert()).toBe('Demasiados intentos. Espera un momento.');
});

test('a second press while it works sends nothing more', async () => {
  const requests = answer({ 'POST /api/auth/customer/login': () => ({ body: { token: 'fresh' } }) });
  await open('customer');
  enter();
  fireEvent.click(screen.getByRole('button'));
  await waitFor(() => expect(tokens).toEqual(['fresh']));
  expect(requests).toHaveLength(1);
});

test('an admin with a second factor is asked for the code, and keeps what was typed', async () => {
  const replies = [refusal(401, 'second-factor-required'), refusal(401, 'second-factor-invalid')];
  const requests = answer({
    'POST /api/auth/admin/login': () => replies.shift() ?? { body: { token: 'fresh' } },
  });
  await open('admin');
  expect(screen.queryByLabelText('Code')).toBeNull();
  enter();
  const code = await screen.findByLabelText('Code');
  expect(screen.queryByRole('alert')).toBeNull();
  expect(document.activeElement).toBe(code);
  expect(code.getAttribute('autocomplete')).toBe('one-time-code');
  fill('Code', '123 456');
  submit();
  await screen.findByText('This code is not valid, or was used before.');
  expect(code.getAttribute('aria-invalid')).toBe('true');
  expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('emma@mail.test');
  fill('Code', 'maple-river-recovery');
  submit();
  await waitFor(() => expect(tokens).toEqual(['fresh']));
  expect(requests.map(({ body }) => (body as { code?: string }).code)).toEqual([
    undefined,
    '123 456',
    'maple-river-recovery',
  ]);
  expect((requests[2]!.body as { password: string }).password).toBe('wrong');
});

test('another address is not asked for that code', async () => {
  answer({ 'POST /api/auth/admin/login': () => refusal(401, 'second-factor-required') });
  await open('admin');
  enter();
  await screen.findByLabelText('Code');
  fill('Email', 'lucia@mail.test');
  expect(screen.queryByLabelText('Code')).toBeNull();
});

test.each(['customer', 'admin', 'worker'] as const)(
  'a forgotten password of a %s has a way out',
  async (role) => {
    await open(role);
    expect(screen.getByRole('link', { name: 'Forgot password' }).getAttribute('href')).toBe(
      `/forgot-password?role=${role}`,
    );
  },
);
