import { OrderPage } from '../order/page/OrderPage.tsx';
import { PACKAGES_IN_DOLLARS } from './checkout.ts';
import { renderScreen } from './render.tsx';
import { fakeApi } from './server.ts';

export const plantedOrder = {
  _id: 'a'.repeat(18) + '7f3a9c',
  shortId: '7F3A9C',
  token: 'q7VdExampleTokenT2mXyz',
  status: 'planted',
  trees: 5,
  packageType: 'grove',
  amount: 8_230_000,
  currency: 'COP',
  customerName: 'Sofía',
  language: 'en',
  receiptNumber: '2026-000123',
  createdAt: '2026-11-28T15:00:00Z',
  assignedDate: '2026-11-30T15:00:00Z',
  plantingDate: '2026-12-12T14:40:00Z',
  assignedWorker: { name: 'Marleny Ospina', region: 'Quindío' },
  location: 'La Carbonera, Salento, Quindío',
  coordinates: { latitude: 4.637214, longitude: -75.487031 },
  method: { kind: 'card' },
  paymentMethod: 'stripe',
  photos: ['one.jpg', 'two.jpg'].map((filename) => ({
    filename,
    width: 1600,
    height: 1200,
    takenAt: '2026-12-12T14:40:00Z',
    uploadedAt: '2026-12-12T16:00:00Z',
  })),
  timeline: [],
};

/** The page of its private link. @param query for example "?lang=en" */
export const openOrderPage = (query = '', language: 'en' | 'es' = 'en') =>
  renderScreen(<OrderPage />, {
    texts: ['order', 'growth', 'certificate', 'withdrawal'],
    language,
    at: `/orders/${plantedOrder.token}${query}`,
    pattern: '/orders/:token',
  });

const CONFIG = {
  photoPackages: [{ photoPackageType: 'three_year', priceId: 'price_t', amount: 2500, currency: 'USD' }],
};

/** The page of an order that differs in some fields. */
export const showOrder = (
  changes: object,
  language: 'en' | 'es' = 'en',
  packagePrices: (request: { url: string }) => { body: object } = () => ({ body: PACKAGES_IN_DOLLARS }),
) => {
  fakeApi({
    'GET /api/pricing/packages': packagePrices,
    'GET /api/track/{token}': () => ({ body: { ...plantedOrder, ...changes } }),
    'GET /api/config': () => ({ body: CONFIG }),
  });
  return openOrderPage('', language);
};
