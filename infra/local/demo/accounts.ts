import type { Language, Role } from '@arboleda/contracts/roles.ts';

export interface DemoAccount {
  /** What the table at the start calls it. */
  title: string;
  role: Role;
  name: string;
  email: string;
  language: Language;
  /** Where this person logs in. */
  page: string;
  worker?: { code: string; region: string; capacityTrees: number };
}

const PAGES: Record<Role, string> = {
  admin: '/admin-dashboard',
  customer: '/customer-portal',
  worker: '/worker-portal',
};

const account = (role: Role, title: string, parts: Omit<DemoAccount, 'role' | 'title' | 'page'>): DemoAccount => ({
  role, title, page: PAGES[role], ...parts,
}); // prettier-ignore

const worker = (email: string, name: string, language: Language, code: string, region: string): DemoAccount =>
  account('worker', `Worker, ${region}`, {
    email, name, language, worker: { code, region, capacityTrees: 1000 },
  }); // prettier-ignore

export const DEMO_ADMIN = account('admin', 'Admin', {
  email: 'admin@arboleda.test', name: 'Lucía Restrepo', language: 'es',
}); // prettier-ignore

export const DEMO_CUSTOMER = account('customer', 'Customer', {
  email: 'customer@arboleda.test', name: 'Emma Clarke', language: 'en',
}); // prettier-ignore

export const DEMO_WORKERS = [
  worker('worker@arboleda.test', 'Mateo Ríos', 'es', 'QU-014', 'Quindío'),
  worker('worker2@arboleda.test', 'Yuliana Chocué', 'es', 'CA-007', 'Cauca'),
  worker('worker3@arboleda.test', 'Samuel Peña', 'en', 'BO-021', 'Boyacá'),
] as const;

export const DEMO_ACCOUNTS: readonly DemoAccount[] = [DEMO_ADMIN, DEMO_CUSTOMER, ...DEMO_WORKERS];
