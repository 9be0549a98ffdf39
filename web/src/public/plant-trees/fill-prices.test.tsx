import { afterEach, expect, jest, test } from '@jest/globals';
import { cleanup, waitFor } from '@testing-library/react';
import { answer } from '../../testing/server.ts';
import { renderScreen } from '../../testing/render.tsx';
import { fillPrices } from './fill-prices.ts';
import { reloadDraft } from './draft.ts';
import { PlantTreesPage } from './PlantTreesPage.tsx';

const packages = [
  { packageType: 'individual', trees: 1, amount: 2_057_500, unitAmount: 2_057_500, savingAmount: 0 },
  { packageType: 'grove', trees: 5, amount: 8_230_000, unitAmount: 1_646_000, savingAmount: 2_057_500 },
  { packageType: 'patch', trees: 20, amount: 28_805_000, unitAmount: 1_440_250, savingAmount: 12_345_000 },
  { packageType: 'custom', trees: 1, amount: 2_057_500, unitAmount: 2_057_500, savingAmount: 0 },
];
const inPesos = {
  body: {
    ...{
      currency: 'COP',
      country: 'Colombia',
      exchangeRate: 4115,
      ratesAsOf: '2026-11-20',
      ratesSource: 'x',
    },
    ...{ quote: 'q', expiresAt: '2026-11-21T15:52:00Z', packages },
  },
};
const inDollars = {
  body: { ...inPesos.body, currency: 'USD', exchangeRate: 1 },
};
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
