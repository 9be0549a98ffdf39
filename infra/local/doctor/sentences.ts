import type { Finding } from './settings.ts';

export const paidWithoutOrder = (n: number): Finding =>
  `${n} payments have no order: see payments and orders in the log, and npm run dlq -- list; after a restore, npm run reconcile -- --since 7d.`;
