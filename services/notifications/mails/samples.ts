/** Facts that the samples of several kinds share. */
export const order = { orderId: '65f0c0ffee65f0c0ff9f3c1a', orderToken: 'Zk3vX1qTz8mYw2LpQe7R9a', trees: 5 };
export const planter = { name: 'Ana Lucía Ríos', region: 'Quindío' };
export const paid = { amountMinor: 8_230_000, currency: 'COP' };
export const work = { orderId: order.orderId, trees: order.trees };
export const visit = { number: 2, of: 3 };
export const link = {
  token: 'q2bq0wTj1m6V3r5Zt8Yw0xCkPnLh4sGfDaEuIoRvBzM',
  expiresAt: '2026-11-22T20:00:00Z',
};
