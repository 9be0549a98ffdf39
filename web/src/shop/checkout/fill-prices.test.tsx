import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { cleanup, waitFor } from '@testing-library/react';
import { OUTDATED_PACKAGES, PACKAGES, PACKAGES_IN_DOLLARS } from '../../test/checkout.ts';
import { renderScreen } from '../../test/render.tsx';
import { fakeApi } from '../../test/server.ts';
import { reloadDraft } from '../../order/purchase/draft.ts';
import { fillPrices } from './fill-prices.ts';
import { PlantTreesPage } from './PlantTreesPage.tsx';

describe('fill prices', () => {
  const inPesos = { body: PACKAGES };

  const inDollars = { body: PACKAGES_IN_DOLLARS };

  const outdated = { body: OUTDATED_PACKAGES };

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
    for (const [prices, reply] of Object.entries({ inPesos, inDollars, outdated, without }))
      test(`prerendered prices match the app’s: ${language}, ${prices}`, async () => {
        jest.spyOn(console, 'error').mockReturnValue();
        let arrive: (() => void) | undefined;
        fakeApi({ 'GET /api/pricing/packages': () => reply, 'GET /api/config': () => ({ status: 503 }) });
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
        await waitFor(() => expect(words()).toBe(said));
      });
});
