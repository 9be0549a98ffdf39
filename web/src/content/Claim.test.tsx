import { afterEach, describe, expect, test } from '@jest/globals';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { LandingPage } from '../shop/landing/LandingPage.tsx';
import { Tiles } from '../customer/Tiles.tsx';
import { renderScreen } from '../test/render.tsx';
import { fakeApi } from '../test/server.ts';

const PRICE = {
  currency: 'COP',
  country: 'Colombia',
  countryCode: 'CO',
  exchangeRate: 4115,
  basePrice: 5,
  localPrice: 20_575,
};

afterEach(() => {
  cleanup();
  sessionStorage.clear();
  delete document.documentElement.dataset.claimsOff;
});

async function landing(claimsOff: string) {
  document.documentElement.dataset.claimsOff = claimsOff;
  fakeApi({
    'GET /api/stats': () => ({ body: { treesPlanted: 62_300 } }),
    'GET /api/pricing/dynamic': () => ({ body: PRICE }),
  });
  const { container } = await renderScreen(<LandingPage />, { texts: ['landing'] });
  await waitFor(() => expect(container.querySelector('#contribute')!.textContent).toContain('20,575'));
  return container;
}

describe('without', () => {
  test('the offer, the page shows one price and where the money goes', async () => {
    const page = await landing('offer');
    expect(page.querySelectorAll('s, [role=timer]')).toHaveLength(0);
    expect(page.querySelector('#contribute')!.textContent).not.toMatch(/67%|Today|supporters/);
    screen.getByRole('heading', { name: 'Where the money goes' });
    expect(page.querySelector('#contribute dl')!.textContent).toMatch(/^One price per treeCOP\s20,575$/);
    expect(page.textContent).toMatch(/hectares.*tons of CO₂/s);
  });

  test('hectares and CO₂, nothing on the page says any', async () => {
    const page = await landing('hectares co2');
    expect(page.textContent).not.toMatch(/hectares|CO₂|500 kg|25,000/);
    expect(page.querySelectorAll('[role=timer]')).toHaveLength(1);
    const stats = { totalTrees: 5, totalOrders: 1, treesPlanted: 5, carbonOffset: 110 };
    await renderScreen(<Tiles stats={stats} />, { texts: ['customer'] });
    expect(screen.queryByText(/CO2/)).toBeNull();
  });
});
