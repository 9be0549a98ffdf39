import { PAGE_PATHS } from '@arboleda/contracts/pages.ts';
import { afterEach, describe, expect, test } from '@jest/globals';
import { act, cleanup, screen } from '@testing-library/react';
import { renderScreen } from '../test/render.tsx';
import { preloadApp } from './fetch-app.ts';
import { OfflineNotice } from './OfflineNotice.tsx';
import { routeOf } from './routes.ts';
import { showStartFailure } from './start-failure.ts';

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
