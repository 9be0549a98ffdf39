import type { Role } from '@arboleda/contracts/roles.ts';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import type { Language } from '../i18n/languages.ts';
import { keepToken } from '../session/token-store.ts';
import { ADMIN, refusal } from '../test/fixtures.ts';
import { renderScreen } from '../test/render.tsx';
import { fakeApi } from '../test/server.ts';
import { Gate, type OpenSession } from './Gate.tsx';
import { LogIn } from './LogIn.tsx';
import { firstName } from './names.ts';

afterEach(cleanup);

describe('Gate', () => {
  beforeEach(() => localStorage.clear());

  const open = () =>
    renderScreen(
      <Gate role="admin" title="The dashboard" guest={() => <h1>The way in</h1>}>
        {({ person }) => <h1>Inside with {person.name}</h1>}
      </Gate>,
      { texts: ['portal'] },
    );

  const menu = () =>
    [...screen.getByRole('navigation').querySelectorAll('a')].map((link) => [
      link.textContent,
      link.getAttribute('href'),
    ]);

  test('a guest sees login and the guest menu', async () => {
    fakeApi({});
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

  test('a logged-in user sees a greeting by first name and the role’s menu', async () => {
    keepToken('admin', 'kept');
    fakeApi({ 'GET /api/auth/admin/verify': () => ({ body: { user: ADMIN } }) });
    await open();
    await screen.findByText('Inside with Lucía Restrepo');
    expect(screen.getByText('Welcome, Lucía')).toBeTruthy();
    expect(menu()).toEqual([
      ['Home', '/'],
      ['Dashboard', '/admin-dashboard'],
    ]);
  });

  test('while the token is verified the page shows its heading and no guest menu', async () => {
    keepToken('admin', 'kept');
    fakeApi({ 'GET /api/auth/admin/verify': () => ({ body: { user: ADMIN } }) });
    await open();
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('The dashboard');
    expect(menu()).toHaveLength(2);
    await screen.findByText('Inside with Lucía Restrepo');
  });

  test('offline the user can retry or log out', async () => {
    keepToken('admin', 'kept');
    fakeApi({ 'GET /api/auth/admin/verify': () => 'lost' });
    await open();
    await screen.findByText(/We could not reach the server/);
    expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Log out' }));
    await screen.findByText('The way in');
  });

  test('a role may have extra links', async () => {
    keepToken('admin', 'kept');
    fakeApi({ 'GET /api/auth/admin/verify': () => ({ body: { user: ADMIN } }) });
    await renderScreen(
      <Gate
        role="admin"
        title="The dashboard"
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

  describe('after the server ends the session', () => {
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
      fakeApi({
        'GET /api/auth/admin/verify': () => ({ body: { user: verified() } }),
        'GET /api/admin/orders/manage': () => refusal(401, 'unauthenticated'),
        'POST /api/auth/admin/login': () => ({ body: { token: 'fresh' } }),
      });
      await renderScreen(
        <Gate role="admin" title="The dashboard" guest={(logIn) => <LogIn role="admin" onLogIn={logIn} />}>
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

    test('login says why, and the same person finds the earlier input', async () => {
      await ended(() => ADMIN);
      await waitFor(() => expect(isVisible(screen.getByLabelText('Note'))).toBe(true));
      expect(screen.getByLabelText<HTMLInputElement>('Note').value).toBe('half a sentence');
      expect(screen.queryByText(/Your session was ended/)).toBeNull();
    });

    test('another person finds none of it', async () => {
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
});

describe('LogIn', () => {
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

  test('exchanges email and password for a token', async () => {
    const requests = fakeApi({ 'POST /api/auth/customer/login': () => ({ body: { token: 'fresh' } }) });
    await open('customer');
    fill('Email', ' emma@mail.test ');
    fill('Password', 'secret-words');
    submit();
    await waitFor(() => expect(tokens).toEqual(['fresh']));
    expect(requests[0]!.body).toEqual({ email: 'emma@mail.test', password: 'secret-words' });
  });

  test('sends the field labelled worker id as the email', async () => {
    const requests = fakeApi({ 'POST /api/auth/worker/login': () => ({ body: { token: 'fresh' } }) });
    await open('worker');
    fill('Worker ID or email', 'QU-014');
    fill('Password', 'secret-words');
    submit();
    await waitFor(() => expect(tokens).toEqual(['fresh']));
    expect(requests[0]!.body).toEqual({ email: 'QU-014', password: 'secret-words' });
  });

  test('requires both fields before sending, and focuses the first empty one', async () => {
    const requests = fakeApi({});
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
    [
      'the server’s own sentence',
      refusal(401, 'invalid-credentials'),
      'This email and password do not match.',
    ],
    ['too many attempts', refusal(429, 'too-many-requests'), 'Too many attempts. Please wait a moment.'],
    ['no sentence', { status: 500, body: undefined }, 'Login failed'],
    ['no network', 'lost' as const, 'Login failed. Please try again.'],
  ])('%s is shown, and what was typed stays', async (_what, reply, text) => {
    fakeApi({ 'POST /api/auth/customer/login': () => reply });
    await open('customer');
    enter();
    expect(await alert()).toBe(text);
    expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('emma@mail.test');
    expect(tokens).toEqual([]);
  });

  test('shows a refusal in the page’s language', async () => {
    fakeApi({
      'POST /api/auth/customer/login': () => refusal(429, 'too-many-requests', 'Too many attempts.'),
    });
    await open('customer', 'es');
    fill('Correo', 'emma@mail.test');
    fill('Contraseña', 'mala');
    submit('Entrar');
    expect(await alert()).toBe('Demasiados intentos. Espera un momento.');
  });

  test('ignores a second press while sending', async () => {
    const requests = fakeApi({ 'POST /api/auth/customer/login': () => ({ body: { token: 'fresh' } }) });
    await open('customer');
    enter();
    fireEvent.click(screen.getByRole('button'));
    await waitFor(() => expect(tokens).toEqual(['fresh']));
    expect(requests).toHaveLength(1);
  });

  test('asks an admin with a second factor for the code, and keeps the input', async () => {
    const replies = [refusal(401, 'second-factor-required'), refusal(401, 'second-factor-invalid')];
    const requests = fakeApi({
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

  test('does not ask another address for that code', async () => {
    fakeApi({ 'POST /api/auth/admin/login': () => refusal(401, 'second-factor-required') });
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
});
