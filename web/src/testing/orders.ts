import type { CustomerOrder } from '../customer/orders.ts';

/** A paid, unassigned order in the customer's view. */
export const customerOrder = (changes: Partial<CustomerOrder> = {}): CustomerOrder => ({
  _id: '65f0c0ffee0000000006bbe0',
  shortId: '06BBE0',
  token: 'tokentokentokentokento',
  status: 'pending',
  trees: 5,
  packageType: 'grove',
  amount: 2000,
  currency: 'USD',
  customerName: 'Emma Clarke',
  customerEmail: 'emma@mail.test',
  language: 'en',
  createdAt: '2026-11-20T15:00:00Z',
  method: { kind: 'card' },
  paymentMethod: 'stripe',
  transactionId: 'pi_1',
  photos: [],
  timeline: [],
  ...changes,
});

/** A completed order with all optional fields. */
export const finishedOrder = (changes: Partial<CustomerOrder> = {}): CustomerOrder =>
  customerOrder({
    status: 'completed',
    assignedDate: '2026-11-21T15:00:00Z',
    plantingDate: '2026-12-12T14:40:00Z',
    completionDate: '2026-12-12T16:00:00Z',
    photoDate: '2026-12-12T14:45:00Z',
    assignedWorker: { name: 'Marleny Ospina', region: 'Quindío' },
    location: 'La Carbonera, Salento, Quindío',
    coordinates: { latitude: 4.637214, longitude: -75.487031 },
    photos: [
      {
        filename: 'aaaaaaaaaaaaaaaaaaaaaa.jpg',
        width: 1600,
        height: 1200,
        takenAt: '2026-12-12T14:41:00Z',
        uploadedAt: '2026-12-12T14:45:00Z',
      },
    ],
    ...changes,
  });
