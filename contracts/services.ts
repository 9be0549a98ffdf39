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

/** Who has a key to call services by: each of them, and the operator, whose commands and demonstration make accounts. */
export const CALLERS = [...SERVICES, 'operator'] as const;
export type Caller = (typeof CALLERS)[number];
