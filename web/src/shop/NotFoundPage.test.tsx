import { afterEach, expect, test } from '@jest/globals';
import { cleanup, screen, within } from '@testing-library/react';
import { renderScreen } from '../test/render.tsx';
import { fakeApi } from '../test/server.ts';
import { NotFoundPage } from './NotFoundPage.tsx';

afterEach(cleanup);

test.each([
  ['en', 'There is no page at this address.', ['Home', 'Plant trees', 'My Trees', 'Check a certificate']],
  [
    'es',
    'No hay ninguna página en esta dirección.',
    ['Inicio', 'Sembrar árboles', 'Mis árboles', 'Verificar un certificado'],
  ],
] as const)(
  'says that there is no such page and leads on, above the landing page’s choice: %s',
  async (language, title, names) => {
    fakeApi({});
    await renderScreen(<NotFoundPage />, { texts: ['landing'], language, at: '/no-such-page' });
    expect(screen.getAllByRole('heading', { level: 1 }).map(({ textContent }) => textContent)).toEqual([
      title,
    ]);
    const ways = within(screen.getByRole('main')).getByRole('navigation');
    const links = within(ways).getAllByRole('link');
    expect(links.map(({ textContent }) => textContent)).toEqual(names);
    expect(links.map((link) => link.getAttribute('href'))).toEqual([
      '/',
      '/plant-trees',
      '/customer-portal',
      '/verify',
    ]);
    expect(document.querySelector('#home picture')).not.toBeNull();
    expect(document.querySelector('#contribute a[href="/plant-trees"]')).not.toBeNull();
  },
);
