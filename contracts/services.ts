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

/** Callers with a service key: the services, and the operator, whose commands and demo create accounts. */
export const CALLERS = [...SERVICES, 'operator'] as const;
export type Caller = (typeof CALLERS)[number];
