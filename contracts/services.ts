export const SERVICES = [
  'auth',
  'pricing',
  'payments',
  'orders',
  'assignments',
  'media',
  'notifications',
] as const;
export type ServiceName = (typeof SERVICES)[number];
