import { afterEach, expect, jest, test } from '@jest/globals';
import { cleanup, waitFor } from '@testing-library/react';
import { PACKAGES, PACKAGES_IN_DOLLARS } from '../../testing/checkout.ts';
import { answer } from '../../testing/server.ts';
import { renderScreen } from '../../testing/render.tsx';
import { fillPrices } from './fill-prices.ts';
import { reloadDraft } from './draft.ts';
import { PlantTreesPage } from './PlantTreesPage.tsx';

const inPesos = { body: PACKAGES };
const inDollars = { body: PACKAGES_IN_DOLLARS };
const without = { status: 503 };

const open = (language: 'en' | 'es') =>
  renderScreen(<PlantTreesPage />, { texts: ['checkout'], language, at: '/plant-trees' });
const saysNothingYet = () => document.querySelector('[data-live="grove-figure"]')?.textContent === '…';
const words = () => document.querySelector('#contribute')!.textContent;

afterEach(() => {
  cleanup();
  jest.restoreAllMocks();
  document.body.innerHTML = '';
  document.documentElement.lang = 'en';
  sessionStorage.clear();
  reloadDraft();
});

for (const language of ['en', 'es'] as const)
  for (const [prices, reply] of Object.entries({ inPesos, inDollars, without }))
    test(`an untouched page says of prices what the app says: ${language}, ${prices}`, async () => {
      jest.spyOn(console, 'error').mockReturnValue();
      let arrive: (() => void) | undefined;
      answer({ 'GET /api/pricing/packages': () => reply, 'GET /api/config': () => ({ status: 503 }) });
      const inTime = globalThis.fetch;
      globalThis.fetch = (...request) =>
        new Promise((resolve) => (arrive = () => resolve(inTime(...request)))) as ReturnType<typeof fetch>;

      await open(language);
      expect(saysNothingYet()).toBe(true);
      const prerendered = document.body.innerHTML;
      globalThis.fetch = inTime;
      arrive?.();
      await waitFor(() => expect(saysNothingYet()).toBe(false));
      const said = words();
      cleanup();

      document.documentElement.lang = language;
      document.body.innerHTML = prerendered;
      fillPrices();
      await waitFor(() => expect(saysNothingYet()).toBe(false));
      expect(words()).toBe(said);
    });
