import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { act, cleanup, renderHook } from '@testing-library/react';
import { fakeApi } from '../test/server.ts';
import { call, READ_DEADLINE_MS } from './client.ts';
import { chooseCurrency, chosenCurrency } from './currency.ts';
import { ApiProblem } from './problem.ts';
import { refreshEvery } from './refresh.ts';
import { changedOrders } from './status-changes.ts';
import { loadDynamicPrice } from './tree-price.ts';
import { useChanges } from './use-changes.ts';

describe('client', () => {
  afterEach(() => void jest.useRealTimers());

  test('builds the address from the endpoint key, parameters and query', async () => {
    const requests = fakeApi({
      'GET /api/track/{token}': () => ({ body: { shortId: '7F3A9C' } }),
      'GET /api/pricing/packages': () => ({ body: {} }),
    });
    expect(await call('GET /api/track/{token}', { params: { token: 'a/b c' } })).toEqual({
      shortId: '7F3A9C',
    });
    await call('GET /api/pricing/packages', { query: { currency: 'COP' } });
    await call('GET /api/pricing/packages', { query: { currency: undefined } });
    expect(requests.map(({ url }) => url)).toEqual([
      '/api/track/a%2Fb%20c',
      '/api/pricing/packages?currency=COP',
      '/api/pricing/packages',
    ]);
  });

  test('sends JSON with the caller’s headers', async () => {
    const requests = fakeApi({ 'POST /api/auth/customer/login': () => ({ body: {} }) });
    await call('POST /api/auth/customer/login', {
      body: { email: 'sofia@correo.co', password: 'x' },
      headers: { 'idempotency-key': 'k' },
    });
    expect(requests[0]!.body).toEqual({ email: 'sofia@correo.co', password: 'x' });
    expect(requests[0]!.headers).toMatchObject({
      'Content-Type': 'application/json',
      'idempotency-key': 'k',
    });
  });

  test('throws a problem with slug, fields and reference for a refusal', async () => {
    fakeApi({
      'GET /api/stats': () => ({
        status: 422,
        body: {
          type: 'validation-failed',
          title: 'Please check the marked fields.',
          status: 422,
          correlationId: 'c-1',
          errors: [{ path: 'email', message: 'Invalid' }],
        },
      }),
    });
    const problem = await call('GET /api/stats').catch((error: ApiProblem) => error);
    expect(problem).toMatchObject({
      type: 'validation-failed',
      status: 422,
      correlationId: 'c-1',
      message: 'Please check the marked fields.',
      fields: [{ path: 'email', message: 'Invalid' }],
    });
  });

  test('reports Retry-After of a refusal', async () => {
    fakeApi({ 'GET /api/stats': () => ({ status: 429, headers: { 'retry-after': '30' } }) });
    await expect(call('GET /api/stats')).rejects.toMatchObject({ status: 429, retryAfterSeconds: 30 });
  });

  test('reports an unknown problem for a page of a proxy, and a network problem without an answer', async () => {
    fakeApi({ 'GET /api/stats': () => ({ status: 502, body: undefined }) });
    await expect(call('GET /api/stats')).rejects.toMatchObject({ type: 'unknown', status: 502 });
    fakeApi({ 'GET /api/stats': () => 'lost' });
    await expect(call('GET /api/stats')).rejects.toMatchObject({ type: 'network', status: 0 });
  });

  describe('a server that says nothing', () => {
    const settled = async (promise: Promise<unknown>, ms: number): Promise<unknown> => {
      let outcome: unknown = 'waits';
      promise.then(
        (value) => (outcome = value),
        (error: unknown) => (outcome = error),
      );
      await jest.advanceTimersByTimeAsync(ms);
      return outcome;
    };

    test('fails at the deadline as a late network problem', async () => {
      jest.useFakeTimers();
      fakeApi({ 'GET /api/stats': () => 'never', 'GET /api/config': () => 'never' });
      const asked = call('GET /api/stats');
      expect(await settled(asked, READ_DEADLINE_MS - 1)).toBe('waits');
      expect(await settled(asked, 1)).toMatchObject({ type: 'network', status: 0, isLate: true });
      const longer = call('GET /api/config', { timeoutMs: 60_000 });
      expect(await settled(longer, READ_DEADLINE_MS)).toBe('waits');
      expect(await settled(longer, 60_000)).toMatchObject({ isLate: true });
    });

    test('throws no problem when the caller aborts', async () => {
      fakeApi({ 'GET /api/stats': () => 'never' });
      const interest = new AbortController();
      const asked = call('GET /api/stats', { signal: interest.signal });
      interest.abort();
      await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
    });

    test('a JSON answer that stalls fails; a file that has begun may take longer', async () => {
      jest.useFakeTimers();
      const bytes = new Promise<Blob>((resolve) => setTimeout(() => resolve(new Blob(['photo'])), 60_000));
      /** Sends headers immediately, and the rest after abort or a minute. */
      const halting = (type: string, init: RequestInit) => ({
        ok: true,
        status: 200,
        headers: new Headers({ 'content-type': type }),
        json: () =>
          new Promise((_, reject) =>
            init.signal!.addEventListener('abort', () => reject(init.signal!.reason)),
          ),
        blob: () => bytes,
      });
      globalThis.fetch = ((url: string, init: RequestInit) =>
        Promise.resolve(halting(url.endsWith('stats') ? 'application/json' : 'image/jpeg', init))) as never;
      expect(await settled(call('GET /api/stats'), READ_DEADLINE_MS)).toMatchObject({
        type: 'network',
        isLate: true,
      });
      const file = call('GET /api/admin/photos/{filename}', { params: { filename: 'a.jpg' } });
      expect(await settled(file, READ_DEADLINE_MS)).toBe('waits');
      expect(await settled(file, 60_000)).toBeInstanceOf(Blob);
    });
  });
});

const busy = new ApiProblem({ type: 'unavailable', status: 503, title: '', retryAfterSeconds: 90 });

const ask = refreshEvery(10_000);

test('polls shown data, but not before Retry-After', () => {
  expect(ask({ state: { data: {}, error: null } })).toBe(10_000);
  expect(ask({ state: { data: {}, error: busy } })).toBe(90_000);
});

test('does not poll what never loaded', () => {
  expect(ask({ state: { data: undefined, error: null } })).toBe(false);
  expect(ask({ state: { data: undefined, error: busy } })).toBe(false);
});

const at = (_id: string, status: string) => ({ _id, status });

test('announces a status change, but not a new, unchanged or vanished order', () => {
  const before = [at('1', 'pending'), at('2', 'assigned'), at('3', 'planted')];
  const now = [at('1', 'assigned'), at('2', 'assigned'), at('4', 'completed')];
  expect(changedOrders(before, now)).toEqual([at('1', 'assigned')]);
});

describe('tree price', () => {
  const price = {
    currency: 'COP',
    country: 'Colombia',
    countryCode: 'CO',
    exchangeRate: 4115,
    basePrice: 5,
    localPrice: 20575,
    formatted: '$20.575',
    symbol: '$',
    flag: '🇨🇴',
    ratesAsOf: '2026-11-20',
    ratesAgeDays: 1,
  };

  const HOUR_MS = 3_600_000;

  let now = Date.parse('2026-11-21T15:00:00Z');

  beforeEach(() => {
    jest.spyOn(Date, 'now').mockImplementation(() => now);
  });

  afterEach(() => {
    jest.restoreAllMocks();
    sessionStorage.clear();
    localStorage.clear();
  });

  test('asks for the chosen currency, and again after another choice', async () => {
    const requests = fakeApi({ 'GET /api/pricing/dynamic': () => ({ body: price }) });
    for (const currency of ['EUR', 'EUR', undefined] as const) {
      chooseCurrency(currency);
      await loadDynamicPrice();
    }
    expect(requests.map(({ url }) => new URL(url, location.origin).search)).toEqual(['?currency=EUR', '']);
  });

  test.each(['XXX', '', 'eur'])('ignores a stored currency that is none: %p', (stored) => {
    localStorage.setItem('arboleda.currency', stored);
    expect(chosenCurrency()).toBeUndefined();
  });

  test('keeps the chosen currency for this page when storage fails', () => {
    jest.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    chooseCurrency('GBP');
    expect(chosenCurrency()).toBe('GBP');
    chooseCurrency(undefined);
    expect(chosenCurrency()).toBeUndefined();
  });

  test('loads the price once an hour and stores it with its time in session storage', async () => {
    const requests = fakeApi({ 'GET /api/pricing/dynamic': () => ({ body: price }) });
    await loadDynamicPrice();
    expect(JSON.parse(sessionStorage.getItem('arboleda.pricing')!)).toEqual({ price, timestamp: now });
    now += HOUR_MS - 1;
    expect(await loadDynamicPrice()).toEqual(price);
    expect(requests).toHaveLength(1);
    now += 1;
    await loadDynamicPrice();
    expect(requests).toHaveLength(2);
  });

  test.each(['lost', 500] as const)(
    'without an answer (%s) it is five dollars, silently',
    async (failure) => {
      const log = jest.spyOn(console, 'error').mockImplementation(() => undefined);
      fakeApi({ 'GET /api/pricing/dynamic': () => (failure === 'lost' ? 'lost' : { status: failure }) });
      expect(await loadDynamicPrice()).toMatchObject({
        currency: 'USD',
        country: 'United States',
        exchangeRate: 1,
        basePrice: 5,
        formatted: '$5.00',
      });
      expect(log).toHaveBeenCalled();
      expect(sessionStorage.length).toBe(0);
    },
  );

  test('shows the price even when storage fails', async () => {
    jest.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    fakeApi({ 'GET /api/pricing/dynamic': () => ({ body: price }) });
    expect(await loadDynamicPrice()).toEqual(price);
  });
});

describe('use changes', () => {
  type Key = 'GET /api/customers/orders/events';

  type Change = { orderId: string };

  /** A stream the test can write to, cut or fail. */
  function openStream() {
    const lines: { say: (change: Change) => void; cut: () => void; signal: AbortSignal }[] = [];
    let refuse = false;
    const open = (signal: AbortSignal) => {
      if (refuse) return Promise.reject(new Error('no answer'));
      const waiting: Change[] = [];
      let over = false;
      let wake = () => {};
      lines.push({
        say: (change) => (waiting.push(change), wake()),
        cut: () => ((over = true), wake()),
        signal,
      });
      signal.addEventListener('abort', () => ((over = true), wake()));
      async function* messages() {
        for (;;) {
          while (waiting.length > 0) yield { event: 'change', data: waiting.shift()! };
          if (over) return;
          await new Promise<void>((resolve) => (wake = resolve));
        }
      }
      return Promise.resolve(messages());
    };
    return { lines, open, fail: (now: boolean) => (refuse = now) };
  }

  let visibility: DocumentVisibilityState = 'visible';

  Object.defineProperty(document, 'visibilityState', { get: () => visibility });

  function show(state: DocumentVisibilityState): void {
    visibility = state;
    document.dispatchEvent(new Event('visibilitychange'));
  }

  const settle = (ms = 0) => act(() => jest.advanceTimersByTimeAsync(ms));

  async function listen(line: ReturnType<typeof openStream>, enabled = true) {
    const received: string[] = [];
    const resumed = jest.fn();
    const hook = renderHook(
      ({ identity, on }) =>
        useChanges<Key>(identity, {
          open: line.open as never,
          onChange: (change) => received.push(change.orderId),
          onResume: resumed,
          enabled: on,
        }),
      { initialProps: { identity: 'mine', on: enabled } },
    );
    await settle();
    return { ...hook, received, resumed };
  }

  beforeEach(() => {
    jest.useFakeTimers();
    visibility = 'visible';
  });

  afterEach(() => {
    cleanup();
    jest.useRealTimers();
  });

  test('delivers changes in order without reloading', async () => {
    const line = openStream();
    const { received, resumed } = await listen(line);
    line.lines[0]!.say({ orderId: 'a' });
    line.lines[0]!.say({ orderId: 'b' });
    await settle();
    expect(received).toEqual(['a', 'b']);
    expect(resumed).not.toHaveBeenCalled();
  });

  test('reconnects after a moment when the stream breaks, and reloads', async () => {
    const line = openStream();
    const { received, resumed } = await listen(line);
    line.lines[0]!.cut();
    await settle(1_900);
    expect(line.lines).toHaveLength(1);
    await settle(200);
    expect(line.lines).toHaveLength(2);
    expect(resumed).toHaveBeenCalledTimes(1);
    line.lines[1]!.say({ orderId: 'c' });
    await settle();
    expect(received).toEqual(['c']);
  });

  test('backs off while the server is down, up to a minute', async () => {
    const line = openStream();
    line.fail(true);
    const open = jest.spyOn(line, 'open');
    await listen(line);
    await settle(2_000 + 4_000 + 8_000 + 16_000 + 32_000 + 60_000);
    const tries = open.mock.calls.length;
    expect(tries).toBe(7);
    await settle(59_000);
    expect(open.mock.calls).toHaveLength(tries);
    line.fail(false);
    await settle(1_500);
    expect(line.lines).toHaveLength(1);
  });

  test('a hidden page disconnects; when visible again it reconnects and reloads', async () => {
    const line = openStream();
    const { resumed } = await listen(line);
    show('hidden');
    await settle(120_000);
    expect(line.lines).toHaveLength(1);
    expect(line.lines[0]!.signal.aborted).toBe(true);
    show('visible');
    await settle();
    expect(line.lines).toHaveLength(2);
    expect(resumed).toHaveBeenCalledTimes(1);
  });

  test('opens no stream without a target, and closes it on unmount', async () => {
    const line = openStream();
    const { rerender, unmount } = await listen(line, false);
    expect(line.lines).toHaveLength(0);
    rerender({ identity: 'mine', on: true });
    await settle();
    expect(line.lines).toHaveLength(1);
    rerender({ identity: 'other', on: true });
    await settle();
    expect([line.lines.length, line.lines[0]!.signal.aborted]).toEqual([2, true]);
    unmount();
    await settle(60_000);
    expect([line.lines.length, line.lines[1]!.signal.aborted]).toEqual([2, true]);
  });
});
