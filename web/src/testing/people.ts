import type { People } from '../session/session.ts';

/** People of the portals, as auth describes them. */
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

/** A refusal as the services send it. */
export const refusal = (status: number, type: string, title = type, errors?: object[]) => ({
  status,
  body: { type, title, status, error: title, errors },
});

/** A token as auth makes them, as far as a page looks into it. */
export const tokenFor = (personId: string): string =>
  `head.${btoa(JSON.stringify({ sub: personId }))}.signature`;
