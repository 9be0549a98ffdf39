import { password } from '@arboleda/contracts/fields.ts';
import { afterEach, expect, test } from '@jest/globals';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { refusal } from '../testing/people.ts';
import { renderScreen } from '../testing/render.tsx';
import { answer } from '../testing/server.ts';
import { MIN_PASSWORD } from './Register.tsx';
import { Welcome } from './Welcome.tsx';

afterEach(cleanup);

const tokens: string[] = [];
async function open() {
  tokens.length = 0;
  await renderScreen(<Welcome onToken={(token) => tokens.push(token)} />, { texts: ['portal', 'customer'] });
  fireEvent.click(screen.getByRole('tab', { name: 'Register' }));
}

const GOOD = {
  Name: 'Emma',
  Email: 'emma@mail.test',
  Password: 'ten-letters',
  'Confirm password': 'ten-letters',
};
function submit(values: Partial<typeof GOOD> = {}) {
  for (const [label, value] of Object.entries({ ...GOOD, ...values }))
    fireEvent.change(screen.getByLabelText(label), { target: { value } });
  fireEvent.click(screen.getByRole('button', { name: 'Create account' }));
}

test('an account is opened in the language of the page, and one is in', async () => {
  const requests = answer({
    'POST /api/auth/customer/register': () => ({ status: 201, body: { token: 'fresh' } }),
  });
  await open();
  submit();
  await waitFor(() => expect(tokens).toEqual(['fresh']));
  expect(requests[0]!.body).toEqual({
    name: 'Emma',
    email: 'emma@mail.test',
    password: 'ten-letters',
    locale: 'en',
  });
});

test('passwords that differ are told apart before anything is sent', async () => {
  const requests = answer({});
  await open();
  submit({ 'Confirm password': 'other-words' });
  await screen.findByText('Passwords do not match');
  expect(requests).toEqual([]);
});

test('a password has ten characters at least, as the server asks', async () => {
  answer({});
  await open();
  submit({ Password: 'nineteen9'.slice(0, 9), 'Confirm password': 'nineteen9'.slice(0, 9) });
  await screen.findByText('At least 10 characters');
  expect(password.safeParse('x'.repeat(MIN_PASSWORD)).success).toBe(true);
  expect(password.safeParse('x'.repeat(MIN_PASSWORD - 1)).success).toBe(false);
});

test('what the server finds wrong stands beside its field, which gets the focus', async () => {
  answer({
    'POST /api/auth/customer/register': () =>
      refusal(422, 'validation-failed', 'Please check the marked fields.', [
        { path: 'password', type: 'common-password', message: 'This password is too easy to guess.' },
      ]),
  });
  await open();
  submit();
  await screen.findByText('This password is too easy to guess.');
  const field = screen.getByLabelText('Password');
  expect(field.getAttribute('aria-invalid')).toBe('true');
  expect(document.activeElement).toBe(field);
  expect(screen.getByRole('alert').textContent).toBe('Please check the marked fields.');
});

test('an address with an account leads to log-in and goes along', async () => {
  answer({ 'POST /api/auth/customer/register': () => refusal(409, 'email-taken') });
  await open();
  submit();
  fireEvent.click(await screen.findByRole('button', { name: 'Log in' }));
  expect(screen.getByRole('tab', { name: 'Log in' }).getAttribute('aria-selected')).toBe('true');
  expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('emma@mail.test');
});

test.each([
  ['no sentence', { status: 500, body: undefined }, 'Registration failed'],
  ['no network', 'lost' as const, 'Registration failed. Please try again.'],
])('%s', async (_what, reply, text) => {
  answer({ 'POST /api/auth/customer/register': () => reply });
  await open();
  submit();
  expect((await screen.findByRole('alert')).textContent).toBe(text);
});
