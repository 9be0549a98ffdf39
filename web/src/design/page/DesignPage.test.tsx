import { afterEach, expect, test } from '@jest/globals';
import { cleanup, screen, within } from '@testing-library/react';
import { renderScreen } from '../../testing/render.tsx';
import { DesignPage } from './DesignPage.tsx';

afterEach(cleanup);

test.each([
  ['en', 'Table', 'Photos'],
  ['es', 'Tabla', 'Fotos'],
] as const)('in %s the page of the design has its table and photos', async (language, table, photos) => {
  await renderScreen(<DesignPage />, { texts: [], language, at: '/design' });
  const rows = within(screen.getByRole('table', { name: table })).getAllByRole('row');
  expect(rows).toHaveLength(4);
  const shown = within(screen.getByRole('region', { name: photos })).getAllByRole('img');
  expect(shown).toHaveLength(3);
});
