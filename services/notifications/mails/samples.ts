import type { MailFacts, MailKind } from './facts.ts';

const order = { orderId: '65f0c0ffee65f0c0ff9f3c1a', orderToken: 'Zk3vX1qTz8mYw2LpQe7R9a', trees: 5 };
const planter = { name: 'Ana Lucía Ríos', region: 'Quindío' };
const paid = { amountMinor: 8_230_000, currency: 'COP' };
const work = { orderId: order.orderId, trees: order.trees };
const visit = { number: 2, of: 3 };
const link = { token: 'q2bq0wTj1m6V3r5Zt8Yw0xCkPnLh4sGfDaEuIoRvBzM', expiresAt: '2026-11-22T20:00:00Z' };

/** One sample of each kind, for tests and the preview. */
export const SAMPLES: { [Kind in MailKind]: MailFacts[Kind] } = {
  receipt: {
    ...order,
    ...paid,
    card: { brand: 'visa', last4: '4242' },
    receiptNumber: '2026-000123',
    paidAt: '2026-11-21T20:00:00Z',
    transactionId: 'pi_3QK7e2LkdIwHu7ix0hYt4K2s',
  },
  'transfer-received': {
    ...order,
    ...paid,
    referenceNumber: 'ARB-9F3C1A',
    submittedAt: '2026-11-21T20:00:00Z',
  },
  'transfer-approved': {
    ...order,
    ...paid,
    receiptNumber: '2026-000124',
    transactionId: 'ARB-9F3C1A',
    approvedAt: '2026-11-22T15:00:00Z',
  },
  'transfer-rejected': {
    ...order,
    reason: 'La referencia del comprobante no aparece en nuestra cuenta.\nEl valor tampoco coincide.',
  },
  refunded: {
    ...order,
    ...paid,
    refundedMinor: paid.amountMinor,
    isFull: true,
    isPlanted: false,
    refundedAt: '2026-11-23T15:00:00Z',
  },
  'dispute-lost': { ...order, ...paid, isFull: true, isPlanted: false, lostAt: '2027-01-15T15:00:00Z' },
  'refund-failed': { ...order, ...paid, failedAt: '2026-12-02T15:00:00Z' },
  'withdrawal-requested': {
    ...order,
    ...paid,
    requestedAt: '2026-11-22T15:00:00Z',
    refundBy: '2026-12-07T04:59:59.999Z',
  },
  'withdrawal-retracted': { ...order, retractedAt: '2026-11-23T15:00:00Z' },
  assigned: { ...order, planter },
  planted: {
    ...order,
    planter,
    plantedAt: '2026-11-25T20:00:00Z',
    place: 'Vereda Cocora, Salento',
    coordinates: { latitude: 4.637812, longitude: -75.487654 },
  },
  photos: {
    ...order,
    photos: 5,
    filenames: ['q7Xw2LpVt0bZ3kRmYd9sAe.jpg', 'm4Tn8HcQy6JfUo1WxGvBzK.jpg', 'u5Er3NiLp7SaDk0CgMtVhX.jpg'],
    place: 'Vereda Cocora, Salento',
  },
  completed: { ...order, completedAt: '2026-12-01T20:00:00Z' },
  'photo-package': {
    ...order,
    amountMinor: 10_075_000,
    currency: 'COP',
    photoPackageType: 'three_year',
    transactionId: 'pi_3QK7e2LkdIwHu7ix0hYt4K9z',
    purchasedAt: '2026-12-03T20:00:00Z',
    startsAt: '2026-12-03T20:00:00Z',
  },
  'growth-update': { ...order, ...visit, planter, photos: 4, visitedAt: '2027-06-03T20:00:00Z' },

  certificate: { ...order, code: 'K7QF-M2XD-9WBN', version: 1 },
  'certificate-revoked': {
    ...order,
    code: 'K7QF-M2XD-9WBN',
    cause: 'admin',
    reason: 'El nombre no era de quien compró los árboles.',
    revokedAt: '2027-01-15T15:00:00Z',
  },

  gift: {
    orderId: order.orderId,
    giftToken: 'hY7kPq2WvN5sXc8bTz3LmA',
    trees: 5,
    card: 'valley',
    message: 'Feliz cumpleaños, Mateo.\nQue crezcan tan altos como tú.',
    from: 'Lucía Peña',
  },
  'gift-sent': { ...order, gift: { recipientName: 'Mateo Ríos' }, deliveredAt: '2026-12-24T14:00:00Z' },
  'gift-bounced': {
    ...order,
    gift: { recipientName: 'Mateo Ríos', recipientEmail: 'mateo.rios@example.org' },
  },
  'gift-refused': {
    ...order,
    gift: { recipientName: 'Mateo Ríos', recipientEmail: 'mateo.rios@example.org' },
  },
  'gift-claimed': { ...order, gift: { recipientName: 'Mateo Ríos' }, claimedAt: '2026-12-25T14:00:00Z' },
  'gift-thanks': {
    ...order,
    gift: { recipientName: 'Mateo Ríos', thanks: 'Qué regalo tan bonito. Iré a visitarlos.' },
  },

  'return-suspected': { orderId: order.orderId, ...paid, day: '2026-11-17' },
  'worker-assigned': { ...work, region: 'Quindío', assignedAt: '2026-11-21T20:00:00Z' },
  'worker-unassigned': { ...work, why: 'other-worker', reason: 'Carlos está más cerca del lote.' },
  'growth-visit-due': {
    ...work,
    ...visit,
    dueAt: '2027-06-03T20:00:00Z',
    location: 'Vereda Cocora, Salento',
    reminders: 0,
  },

  'verify-email': link,
  'reset-password': { ...link, role: 'customer' },
  'worker-invited': { ...link, code: 'QU-014' },
  'admin-invited': { ...link, adminRole: 'finance' },
  'admin-role-changed': {
    adminRole: 'coordinator',
    active: true,
    by: 'Lucía Restrepo',
    at: '2026-11-22T20:00:00Z',
  },
  'confirm-email': { ...link, email: 'lucia.pena@example.org' },
  'email-changed': { role: 'customer', to: 'lucia.pena@example.org', at: '2026-11-22T20:00:00Z' },
  'password-changed': { role: 'customer', at: '2026-11-22T20:00:00Z' },
  'second-factor-changed': { role: 'admin', enabled: false, at: '2026-11-22T20:00:00Z' },
};
