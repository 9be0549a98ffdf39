import { afterEach, expect, jest, test } from '@jest/globals';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { Link } from 'react-router-dom';
import { renderScreen } from '../test/render.tsx';
import { PreloadPages } from './preload-pages.ts';
import { routeOf } from './routes.ts';

const connection = (value: object | undefined) =>
  Object.defineProperty(navigator, 'connection', { value, configurable: true });

const preloading = (path: string) =>
  jest.spyOn(routeOf(path).page, 'preload').mockImplementation(async () => undefined);

const open = () =>
  renderScreen(
    <>
      <header>
        <Link to="/customer-portal">Portal</Link>
        <a href="/api/docs">API</a>
        <a href="https://elsewhere.test/terms">Elsewhere</a>
      </header>
      <main>
        <Link to="/help">Help</Link>
        <Link to="/">Here</Link>
      </main>
      <PreloadPages />
    </>,
    { texts: [], at: '/' },
  );

afterEach(() => {
  cleanup();
  connection(undefined);
  jest.restoreAllMocks();
});

/** The others are this page, the API's and another site's. */
const expectOnly = (loaded: readonly string[], pages: Record<string, ReturnType<typeof preloading>>) =>
  expect(Object.keys(pages).filter((path) => pages[path]!.mock.calls.length > 0)).toEqual(loaded);

const preloadingAll = () =>
  Object.fromEntries(['/customer-portal', '/help', '/', '/terms'].map((path) => [path, preloading(path)]));

test('pages whose links are in view are loaded when the browser is idle', async () => {
  const pages = preloadingAll();
  await open();
  await waitFor(() => expectOnly(['/customer-portal', '/help'], pages), { timeout: 5_000 });
});

test.each(['pointerOver', 'touchStart', 'focusIn'] as const)(
  'a page is loaded when somebody points at its link: %s, over a slow line, too',
  async (sign) => {
    connection({ effectiveType: '3g' });
    const [portal, help, landing, terms] = ['/customer-portal', '/help', '/', '/terms'].map(preloading);
    await open();
    for (const link of screen.getAllByRole('link')) if (link.textContent !== 'Help') fireEvent[sign](link);
    expect(portal).toHaveBeenCalledTimes(1);
    for (const other of [help, landing, terms]) expect(other).not.toHaveBeenCalled();
  },
);

test('a page that cannot be loaded ahead is left to the click', async () => {
  const help = jest.spyOn(routeOf('/help').page, 'preload').mockRejectedValue(new Error('gone'));
  await open();
  fireEvent.pointerOver(screen.getByRole('link', { name: 'Help' }));
  await expect(help.mock.results[0]!.value).rejects.toThrow('gone');
});
