import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { ApiProblem } from '../api/problem.ts';
import type { Language } from '../i18n/languages.ts';
import { CUSTOMER, refusal } from '../test/fixtures.ts';
import { renderScreen } from '../test/render.tsx';
import { fakeApi } from '../test/server.ts';
import { useProblemText } from './problem-text.ts';
import { useSession } from './session.ts';
import { keepToken, readEnd, readToken } from './token-store.ts';

afterEach(cleanup);

describe('session', () => {
  function Probe() {
    const session = useSession('customer');
    return (
      <div>
        <output>{session.state === 'in' ? session.person.name : session.state}</output>
        <button onClick={() => session.logIn('fresh')}>in</button>
        <button onClick={session.logOut}>out</button>
        <i>{session.state === 'out' && session.end}</i>
        {'retry' in session && <button onClick={session.retry}>retry</button>}
        {session.state === 'in' && (
          <button onClick={() => void session.call('GET /api/customers/orders').catch(() => undefined)}>
            call
          </button>
        )}
      </div>
    );
  }

  const shows = (text: string) => waitFor(() => expect(screen.getByRole('status').textContent).toBe(text));

  const press = (name: string) => fireEvent.click(screen.getByText(name));

  const start = () => renderScreen(<Probe />, { texts: [] });

  beforeEach(() => localStorage.clear());

  test('is logged out without a token, and calls nothing', async () => {
    const requests = fakeApi({});
    await start();
    await shows('out');
    expect(requests).toEqual([]);
  });

  test('verifies a stored token at load', async () => {
    keepToken('customer', 'kept');
    const requests = fakeApi({ 'GET /api/auth/customer/verify': () => ({ body: { user: CUSTOMER } }) });
    await start();
    await shows('Emma Clarke');
    expect(requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer kept']);
  });

  test.each([401, 403])('removes a token refused with %i', async (status) => {
    keepToken('customer', 'old');
    fakeApi({ 'GET /api/auth/customer/verify': () => refusal(status, 'unauthenticated') });
    await start();
    await shows('out');
    expect(readToken('customer')).toBeNull();
  });

  test('keeps the token while offline, and a retry logs in', async () => {
    keepToken('customer', 'kept');
    let online = false;
    fakeApi({ 'GET /api/auth/customer/verify': () => (online ? { body: { user: CUSTOMER } } : 'lost') });
    await start();
    await shows('unreachable');
    expect(readToken('customer')).toBe('kept');
    online = true;
    press('retry');
    await shows('Emma Clarke');
  });

  test('clears the token on logout', async () => {
    keepToken('customer', 'kept');
    fakeApi({ 'GET /api/auth/customer/verify': () => ({ body: { user: CUSTOMER } }) });
    await start();
    await shows('Emma Clarke');
    press('out');
    await shows('out');
    expect(localStorage.length).toBe(0);
  });

  test('logs out when another window does', async () => {
    keepToken('customer', 'kept');
    fakeApi({ 'GET /api/auth/customer/verify': () => ({ body: { user: CUSTOMER } }) });
    await start();
    await shows('Emma Clarke');
    act(() => {
      localStorage.clear();
      window.dispatchEvent(new Event('storage'));
    });
    await shows('out');
  });

  test('shows the person who logs in in another window', async () => {
    keepToken('customer', 'emma');
    fakeApi({
      'GET /api/auth/customer/verify': ({ headers }) => ({
        body: {
          user: headers.authorization === 'Bearer nora' ? { ...CUSTOMER, id: 'c2', name: 'Nora' } : CUSTOMER,
        },
      }),
    });
    await start();
    await shows('Emma Clarke');
    act(() => {
      localStorage.setItem('arboleda.customer.token', 'nora');
      window.dispatchEvent(new Event('storage'));
    });
    await shows('Nora');
  });

  test('replaces the stored token without another verification', async () => {
    keepToken('customer', 'kept');
    const requests = fakeApi({
      'GET /api/auth/customer/verify': () => ({ body: { user: CUSTOMER, token: 'renewed' } }),
    });
    await start();
    await shows('Emma Clarke');
    expect(readToken('customer')).toBe('renewed');
    expect(requests).toHaveLength(1);
  });

  test('ends the session when a call is refused for its token', async () => {
    keepToken('customer', 'kept');
    fakeApi({
      'GET /api/auth/customer/verify': () => ({ body: { user: CUSTOMER } }),
      'GET /api/customers/orders': () => refusal(401, 'unauthenticated'),
    });
    await start();
    await shows('Emma Clarke');
    press('call');
    await shows('out');
    expect(readEnd('customer')).toBe('ended');
    expect(document.querySelector('i')!.textContent).toBe('ended');
  });

  test('reports an expired token in every window until the next login', async () => {
    const token = `head.${btoa(JSON.stringify({ sub: 'c1', exp: 1_700_000_000 }))}.signature`;
    keepToken('customer', token);
    fakeApi({ 'GET /api/auth/customer/verify': () => refusal(401, 'unauthenticated') });
    await start();
    await shows('out');
    expect(document.querySelector('i')!.textContent).toBe('expired');
    expect(localStorage.getItem('arboleda.customer.ended')).toBe('expired');
    fakeApi({ 'GET /api/auth/customer/verify': () => ({ body: { user: CUSTOMER } }) });
    press('in');
    await shows('Emma Clarke');
    expect(localStorage.getItem('arboleda.customer.ended')).toBeNull();
    press('out');
    await shows('out');
    expect(document.querySelector('i')!.textContent).toBe('');
  });

  test('a refused token of one role leaves other roles logged in', async () => {
    keepToken('customer', 'old');
    keepToken('admin', 'good');
    fakeApi({ 'GET /api/auth/customer/verify': () => refusal(401, 'unauthenticated') });
    await start();
    await shows('out');
    expect([readToken('customer'), readToken('admin'), readEnd('admin')]).toEqual([null, 'good', undefined]);
  });

  test('one portal’s token opens no other portal', async () => {
    keepToken('admin', 'kept');
    fakeApi({});
    await start();
    await shows('out');
  });

  test('without storage a session lasts as long as the page', async () => {
    const { setItem } = Storage.prototype;
    Storage.prototype.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
    try {
      fakeApi({ 'GET /api/auth/customer/verify': () => ({ body: { user: CUSTOMER } }) });
      await start();
      await shows('out');
      press('in');
      await shows('Emma Clarke');
      press('out');
      await shows('out');
    } finally {
      Storage.prototype.setItem = setItem;
    }
  });

  test('works in a browser that forbids storage', async () => {
    const { setItem, getItem, removeItem } = Storage.prototype;
    const forbidden = () => {
      throw new DOMException('denied', 'SecurityError');
    };
    Object.assign(Storage.prototype, { setItem: forbidden, getItem: forbidden, removeItem: forbidden });
    try {
      fakeApi({
        'GET /api/auth/customer/verify': () => ({ body: { user: CUSTOMER } }),
        'GET /api/customers/orders': () => refusal(401, 'unauthenticated'),
      });
      await start();
      press('in');
      await shows('Emma Clarke');
      press('call');
      await shows('out');
      expect(document.querySelector('i')!.textContent).toBe('ended');
    } finally {
      Object.assign(Storage.prototype, { setItem, getItem, removeItem });
    }
  });

  test('full storage keeps no old token instead of a new one', async () => {
    keepToken('customer', 'old');
    const { setItem } = Storage.prototype;
    Storage.prototype.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
    try {
      keepToken('customer', 'new');
      expect(readToken('customer')).toBe('new');
      keepToken('customer', null);
      expect(readToken('customer')).toBeNull();
    } finally {
      Storage.prototype.setItem = setItem;
    }
  });
});

function ProblemText({ error }: { error: unknown }) {
  return <p>{useProblemText()(error, { failed: 'It failed', network: 'No network' })}</p>;
}

const textFor = async (error: unknown, language: Language = 'en') => {
  const { container } = await renderScreen(<ProblemText error={error} />, { texts: [], language });
  return container.textContent;
};

const problem = (type: string, status: number, retryAfterSeconds?: number) =>
  new ApiProblem({ type, status, title: 'as the server says it', retryAfterSeconds });

test.each([
  [problem('too-many-requests', 429, 1), 'Too many attempts. Please wait a moment. Try again in 1 second.'],
  [
    problem('too-many-requests', 429, 45),
    'Too many attempts. Please wait a moment. Try again in 45 seconds.',
  ],
  [
    problem('unavailable', 503, 540),
    'This is not available right now. Please try again shortly. Try again in 9 minutes.',
  ],
  [
    new ApiProblem({
      type: 'validation-failed',
      status: 422,
      title: 'as the server says it',
      errors: [
        { path: 'amount', type: 'too-big', message: 'x' },
        { path: 'unknownToThePage.0', message: 'as the server says it.' },
      ],
    }),
    'Amount: This number is too big. unknownToThePage.0: as the server says it.',
  ],
  [problem('unavailable', 503), 'This is not available right now. Please try again shortly.'],
  [problem('network', 0), 'No network'],
  [problem('unknown', 500), 'It failed'],
  [new TypeError('a fault of ours'), 'It failed'],
  [problem('newer-than-this-page', 409), 'as the server says it'],
])('describes %j as %j', async (error, text) => {
  expect(await textFor(error)).toBe(text);
});

test('shows the waiting time in the page’s language', async () => {
  expect(await textFor(problem('too-many-requests', 429, 61), 'es')).toBe(
    'Demasiados intentos. Espera un momento. Intenta de nuevo en 2 minutos.',
  );
});
