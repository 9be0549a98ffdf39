import { PAGE_PATHS } from '@arboleda/contracts/pages.ts';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { ApiProblem } from '../api/problem.ts';
import { renderScreen } from '../test/render.tsx';
import { CrashBoundary } from '../design/components/CrashBoundary.tsx';
import { preloadApp } from './fetch-app.ts';
import {
  CHUNK_TIMEOUT_MS,
  ChunkLoadError,
  isChunkLoss,
  loadChunk,
  reloadOnce,
} from '../design/load-chunk.ts';
import { OfflineNotice } from './OfflineNotice.tsx';
import { retryPauseMs, shouldRetry } from '../api/query-client.ts';
import { routeOf } from './routes.ts';
import { showStartFailure } from './start-failure.ts';

describe('CrashBoundary', () => {
  const logged = console.error;

  let fault: Error | undefined;

  beforeEach(() => {
    console.error = () => undefined;
    // Reloaded a moment ago, so a missing chunk is reported instead of reloading again.
    sessionStorage.setItem('arboleda.reloaded-at', String(Date.now()));
  });

  afterEach(() => {
    cleanup();
    console.error = logged;
    sessionStorage.clear();
  });

  function Part() {
    if (fault) throw fault;
    return <p>the part</p>;
  }

  const open = (panel: boolean) =>
    renderScreen(
      <div>
        <p>the rest</p>
        <CrashBoundary panel={panel}>
          <Part />
        </CrashBoundary>
      </div>,
      { texts: [] },
    );

  test('a crashed panel leaves the rest usable and can be retried in place', async () => {
    fault = new TypeError('x is undefined');
    await open(true);
    expect(screen.getByText('the rest')).toBeTruthy();
    expect(screen.getByRole('alert').textContent).toMatch(/This part of the page stopped working/);
    fault = undefined;
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(screen.getByText('the part')).toBeTruthy();
  });

  test('reports a panel that could not be loaded', async () => {
    fault = new ChunkLoadError('gone');
    await open(true);
    expect(screen.getByRole('alert').textContent).toMatch(/didn’t load. Check your connection/);
  });

  test.each([
    [new TypeError('x is undefined'), 'Something went wrong on this page'],
    [new ChunkLoadError('gone'), 'Part of this page didn’t load'],
  ])('a page has words for it: %s', async (what, title) => {
    fault = what;
    await open(false);
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(title);
    expect(screen.getByRole('button', { name: 'Load the page again' })).toBeTruthy();
  });
});

describe('OfflineNotice', () => {
  const network = (online: boolean) =>
    act(() => {
      Object.defineProperty(navigator, 'onLine', { value: online, configurable: true });
      window.dispatchEvent(new Event(online ? 'online' : 'offline'));
    });

  afterEach(() => {
    network(true);
    cleanup();
  });

  test('shows a notice while offline', async () => {
    await renderScreen(<OfflineNotice />, { texts: [], at: '/customer-portal' });
    expect(screen.queryByText(/You are offline/)).toBeNull();
    network(false);
    expect(screen.getByText(/You are offline/)).toBeTruthy();
    network(true);
    expect(screen.queryByText(/You are offline/)).toBeNull();
  });

  test('the worker portal has its own offline notice', async () => {
    await renderScreen(<OfflineNotice />, { texts: [], at: '/worker-portal' });
    network(false);
    expect(screen.queryByText(/You are offline/)).toBeNull();
  });
});

describe('fetch app', () => {
  afterEach(() => {
    document.head.innerHTML = '';
  });

  test('requests all scripts of the app in parallel, and no style that the page already contains', () => {
    document.head.innerHTML =
      '<script data-app="/assets/app.js /assets/page.js" data-styles="/assets/page.css"></script>';
    preloadApp();
    preloadApp();
    const links = [...document.querySelectorAll('link')].map(({ rel, attributes, outerHTML }) => [
      rel,
      attributes.getNamedItem('href')!.value,
      outerHTML.includes('disabled'),
    ]);
    expect(links).toEqual([
      ['stylesheet', '/assets/page.css', true],
      ['modulepreload', '/assets/app.js', false],
      ['modulepreload', '/assets/page.js', false],
    ]);
  });
});

describe('load chunk', () => {
  beforeEach(() => {
    sessionStorage.clear();
    jest.useFakeTimers();
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  test('returns a loaded chunk', async () => {
    await expect(loadChunk(() => Promise.resolve('part'))).resolves.toBe('part');
    expect(jest.getTimerCount()).toBe(0);
  });

  test('fails a chunk after 120 seconds without an answer, not before', async () => {
    expect(CHUNK_TIMEOUT_MS).toBe(120_000);
    let lost: unknown;
    void loadChunk(() => new Promise(() => undefined)).catch((error: unknown) => (lost = error));
    await jest.advanceTimersByTimeAsync(119_999);
    expect(lost).toBeUndefined();
    await jest.advanceTimersByTimeAsync(1);
    expect(lost).toBeInstanceOf(ChunkLoadError);
  });

  test.each([
    'Failed to fetch dynamically imported module: http://localhost/assets/Page-1a2b.js',
    'error loading dynamically imported module: http://localhost/assets/Page-1a2b.js',
    'Importing a module script failed.',
    'Unable to preload CSS for /assets/Page-1a2b.css',
  ])('what browsers say of a missing part is understood: %s', async (message) => {
    await expect(loadChunk(() => Promise.reject(new TypeError(message)))).rejects.toBeInstanceOf(
      ChunkLoadError,
    );
    expect(isChunkLoss(new TypeError(message))).toBe(true);
  });

  test('an error inside a chunk is no load failure', async () => {
    const fault = new TypeError('x is undefined');
    await expect(loadChunk(() => Promise.reject(fault))).rejects.toBe(fault);
    expect(isChunkLoss(fault)).toBe(false);
  });

  test('reloads the page once, and again only after a while', () => {
    let reloads = 0;
    const reload = () => void reloads++;
    expect([reloadOnce(reload), reloadOnce(reload)]).toEqual([true, false]);
    jest.advanceTimersByTime(61_000);
    expect(reloadOnce(reload)).toBe(true);
    expect(reloads).toBe(2);
  });

  test('never reloads in a loop without storage', () => {
    const { getItem } = Storage.prototype;
    Storage.prototype.getItem = () => {
      throw new DOMException('denied', 'SecurityError');
    };
    try {
      expect(reloadOnce(() => expect(true).toBe(false))).toBe(false);
    } finally {
      Storage.prototype.getItem = getItem;
    }
  });
});

const problem = (status: number, more: { retryAfterSeconds?: number; isLate?: boolean } = {}) =>
  new ApiProblem({ type: 'any', status, title: '', ...more });

test.each([
  ['a lost connection', problem(0), true],
  ['a server in trouble', problem(500), true],
  ['a busy server', problem(503, { retryAfterSeconds: 3 }), true],
  ['a server that is away for long', problem(503, { retryAfterSeconds: 60 }), false],
  ['too many requests', problem(429, { retryAfterSeconds: 1 }), false],
  ['a refusal', problem(404), false],
  ['an answer that did not come in time', problem(0, { isLate: true }), false],
])('%s is retried automatically: %s', (_what, error, isAsked) => {
  expect(shouldRetry(0, error)).toBe(isAsked);
});

test('retries twice, after one and two seconds, and not before Retry-After', () => {
  expect([0, 1, 2].map((failures) => shouldRetry(failures, problem(500)))).toEqual([true, true, false]);
  expect([0, 1].map((failures) => retryPauseMs(failures, problem(500)))).toEqual([1000, 2000]);
  expect(retryPauseMs(0, problem(503, { retryAfterSeconds: 3 }))).toBe(3000);
});

test('every portal opens at both of its addresses', () => {
  for (const portal of ['/admin-dashboard', '/customer-portal', '/worker-portal'])
    expect(routeOf(`${portal}.html`).page).toBe(routeOf(portal).page);
  expect(
    new Set(['/admin-dashboard', '/customer-portal', '/worker-portal', '/'].map((path) => routeOf(path).page))
      .size,
  ).toBe(4);
});

test('every path that the gateway knows has a page, and an unknown one has its own', () => {
  for (const path of PAGE_PATHS) expect(routeOf(path.replaceAll(/:\w+/g, 'x')).path).toBe(path);
  for (const path of ['/no/such-page', '/orders', '/index.html']) expect(routeOf(path).path).toBe('*');
});

const rootWith = (markup: string) => {
  const root = document.createElement('div');
  root.innerHTML = markup;
  return root;
};

test('an empty page shows in both languages that nothing could be loaded', () => {
  const root = rootWith('');
  showStartFailure(root);
  expect([...root.querySelectorAll('p')].map(({ lang }) => lang)).toEqual(['en', 'es']);
  expect(root.querySelectorAll('a')).toHaveLength(2);
});

test('a prerendered page keeps its content', () => {
  const root = rootWith('<h1>Your tree has an address.</h1>');
  showStartFailure(root);
  expect(root.textContent).toBe('Your tree has an address.');
});
