import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { readFileSync } from 'node:fs';
import { Suspense } from 'react';
import { matchPath } from 'react-router-dom';
import { keepToken } from '../session/token-store.ts';
import { CUSTOMER } from '../test/fixtures.ts';
import { renderScreen } from '../test/render.tsx';
import { fakeApi } from '../test/server.ts';
import { ROUTES, routeOf } from './routes.ts';

/** Links of all releases, each with the first that sent it: written by "npm run release". */
const FILE = 'contracts/released/links.json';
const RELEASED = JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, string>;

const urlOf = (link: string) => new URL(link, 'https://arboleda.example');
const isPage = (link: string) =>
  !/^\/(api|\.well-known)\//.test(link) && !/\.(?!html$)\w+$/.test(urlOf(link).pathname);
const PAGES = Object.keys(RELEASED).filter(isPage);

/** Links that no page of its own answers. */
const lost = (links: readonly string[], routes = ROUTES) =>
  links.filter((link) => routes.find(({ path }) => matchPath(path, urlOf(link).pathname))?.path === '*');

/** The token or code in a link, which its page must read. */
function secretOf(link: string): string | undefined {
  const { pathname, hash } = urlOf(link);
  return new URLSearchParams(hash.slice(1)).get('token') ?? /[^/]*[A-Z0-9][^/]*/.exec(pathname)?.[0];
}
const PRIVATE = PAGES.filter((link) => secretOf(link) !== undefined && !link.endsWith('/stop'));

beforeEach(() => {
  localStorage.clear();
  keepToken('customer', 'session');
});
afterEach(cleanup);

/** Opens a link, and returns what its page asks the server. */
async function openLink(link: string) {
  const requests = fakeApi({
    'GET /api/auth/customer/verify': () => ({ body: { user: { ...CUSTOMER, emailVerified: false } } }),
  });
  const { path, page } = routeOf(urlOf(link).pathname);
  const texts = ['portal', 'customer', 'account', 'order', 'growth', 'certificate', 'gift'] as const;
  await renderScreen(<Suspense>{page.render()}</Suspense>, { texts, at: link, pattern: path });
  if (path === '/reset-password') {
    const label = await screen.findByLabelText('New password');
    for (const field of [label, screen.getByLabelText('Confirm new password')])
      fireEvent.change(field, { target: { value: 'ten-letters-long' } });
    fireEvent.click(screen.getByRole('button', { name: 'Set password' }));
  }
  return requests;
}

test('every page that was ever linked is still there', () => {
  const gone = lost(PAGES).map(
    (link) => `${link} of ${RELEASED[link]!} (${FILE}): bring its route back in web/src/app/routes.ts`,
  );
  expect(gone).toEqual([]);
});

test('a route that is gone is noticed', () => {
  const without = ROUTES.filter(({ path }) => path !== '/orders/:token');
  expect(lost(PAGES, without)).toContain(PAGES.find((link) => link.startsWith('/orders/')));
});

test.each(PRIVATE)('the page of %s still reads what the link says', async (link) => {
  const requests = await openLink(link);
  const secret = secretOf(link)!;
  await waitFor(() =>
    expect(requests.some(({ url, body }) => `${url} ${JSON.stringify(body)}`.includes(secret))).toBe(true),
  );
});

test('a link that says it by another name is noticed', async () => {
  const requests = await openLink('/mail-preferences#t=aB3dE5fG7hJ9kL1mN3pQ5r');
  await screen.findByRole('heading', { level: 1 });
  expect(requests.some(({ url }) => url.includes('aB3dE5fG7hJ9kL1mN3pQ5r'))).toBe(false);
});
