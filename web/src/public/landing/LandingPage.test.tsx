import { afterEach, expect, test } from '@jest/globals';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { answer } from '../../testing/server.ts';
import { renderScreen } from '../../testing/render.tsx';
import { LandingPage } from './LandingPage.tsx';

const price = {
  currency: 'COP', country: 'Colombia', countryCode: 'CO', exchangeRate: 4115, basePrice: 5, localPrice: 20575,
  formatted: '$20.575,00', symbol: '$', flag: '🇨🇴',
}; // prettier-ignore

afterEach(() => {
  cleanup();
  sessionStorage.clear();
});

const answers = {
  'GET /api/stats': () => ({ body: { treesPlanted: 62_300 } }),
  'GET /api/pricing/dynamic': () => ({ body: price }),
};

const open = (language: 'en' | 'es' = 'en', at = '/') =>
  renderScreen(<LandingPage />, { texts: ['landing'], language, at });

test('the figures come from the server and the price is in the visitor’s money', async () => {
  answer(answers);
  await open();
  await waitFor(() => expect(screen.getAllByText('62k+').length).toBe(3));
  expect(screen.getAllByText('626+').length).toBe(2);
  expect(screen.getByText('COP 20,575.00')).toBeTruthy();
});

test('when nothing can be loaded it shows fifty thousand trees and the price in dollars', async () => {
  const logged = console.error;
  console.error = () => undefined;
  answer({ 'GET /api/stats': () => 'lost', 'GET /api/pricing/dynamic': () => ({ status: 503 }) });
  await open();
  await waitFor(() => expect(screen.getAllByText('50k+').length).toBe(3));
  expect(screen.getAllByText('503+').length).toBe(2);
  expect(screen.getByText('USD 5.00')).toBeTruthy();
  console.error = logged;
});

test('it has every section in both languages: nine benefits, seven steps, four anchors', async () => {
  answer(answers);
  for (const language of ['en', 'es'] as const) {
    const { container } = await open(language);
    for (const anchor of ['home', 'about', 'contribute', 'how-it-works']) {
      expect(container.querySelector(`#${anchor}`)).not.toBeNull();
    }
    expect(within(container.querySelector('#how-it-works')!).getAllByRole('listitem')).toHaveLength(7);
    expect(container.querySelectorAll('h4')).toHaveLength(9);
    cleanup();
  }
});

test('an unknown address shows the landing page with a quiet notice', async () => {
  answer(answers);
  await open('en', '/no-such-page');
  expect(screen.getByRole('status').textContent).toMatch(/not here/);
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Your tree has an address.');
});
