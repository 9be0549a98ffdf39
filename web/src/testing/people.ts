import type { People } from '../session/session.ts';

/** Accounts in the auth service's format. */
export const CUSTOMER: People['customer'] = {
  id: 'c1',
  name: 'Emma Clarke',
  email: 'emma@mail.test',
  emailVerified: true,
  language: 'en',
};
export const ADMIN: People['admin'] = {
  ...CUSTOMER,
  id: 'a1',
  name: 'Lucía Restrepo',
  email: 'lucia@mail.test',
};
export const WORKER: People['worker'] = {
  id: 'w1',
  name: 'Mateo Ríos',
  email: 'mateo@mail.test',
  workerId: 'QU-014',
  region: 'Quindío',
  language: 'es',
};

/** A refusal in the services' format. */
export const refusal = (status: number, type: string, title = type, errors?: object[]) => ({
  status,
  body: { type, title, status, error: title, errors },
});

/** A token with the claims a page reads. */
export const tokenFor = (personId: string): string =>
  `head.${btoa(JSON.stringify({ sub: personId }))}.signature`;
