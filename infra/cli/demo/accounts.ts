import type { AdminRole } from '@arboleda/contracts/permissions.ts';
import type { Language, Role } from '@arboleda/contracts/roles.ts';
import { type CallApi, Refused } from '@arboleda/contracts/client.ts';

export interface DemoAccount {
  /** Label in the table that is printed at the start. */
  title: string;
  role: Role;
  name: string;
  email: string;
  language: Language;
  adminRole?: AdminRole;
  worker?: { code: string; region: string; capacityTrees: number };
}

/** Login page of each role. */
export const LOGIN_PAGES: Record<Role, string> = {
  admin: '/admin-dashboard',
  customer: '/customer-portal',
  worker: '/worker-portal',
};

const worker = (email: string, name: string, language: Language, code: string, region: string) => ({
  title: `Worker, ${region}`,
  role: 'worker' as const,
  email,
  name,
  language,
  worker: { code, region, capacityTrees: 1000 },
});

const admin = (email: string, name: string, language: Language, adminRole: AdminRole) => ({
  title: `Admin, ${adminRole}`,
  role: 'admin' as const,
  email,
  name,
  language,
  adminRole,
});

export const DEMO_ADMIN: DemoAccount = admin('admin@arboleda.test', 'Lucía Restrepo', 'es', 'owner');

/** Try the dashboard with fewer permissions, and approve as the second of two. */
const OTHER_ADMINS = [
  admin('finance@arboleda.test', 'Camilo Duarte', 'es', 'finance'),
  admin('coordinator@arboleda.test', 'Paola Quiñones', 'es', 'coordinator'),
  admin('support@arboleda.test', 'Hannah Weiss', 'en', 'support'),
  admin('auditor@arboleda.test', 'Rodrigo Sáenz', 'es', 'auditor'),
];

export const DEMO_CUSTOMER: DemoAccount = {
  title: 'Customer',
  role: 'customer',
  email: 'customer@arboleda.test',
  name: 'Emma Clarke',
  language: 'en',
};

export const DEMO_WORKERS = [
  worker('worker@arboleda.test', 'Mateo Ríos', 'es', 'QU-014', 'Quindío'),
  worker('worker2@arboleda.test', 'Yuliana Chocué', 'es', 'CA-007', 'Cauca'),
  worker('worker3@arboleda.test', 'Samuel Peña', 'en', 'BO-021', 'Boyacá'),
];

export const DEMO_ACCOUNTS: readonly DemoAccount[] = [
  DEMO_ADMIN,
  DEMO_CUSTOMER,
  ...DEMO_WORKERS,
  ...OTHER_ADMINS,
];

const UNAUTHORIZED = 401;

/** Whether any demo account accepts the password. Somebody may have changed one, but hardly all. */
export async function isAnybodyThere(auth: CallApi, password: string): Promise<boolean> {
  for (const { role, email } of DEMO_ACCOUNTS) {
    try {
      await auth(`POST /api/auth/${role}/login`, { body: { email, password } });
      return true;
    } catch (error) {
      if (!(error instanceof Refused) || error.status !== UNAUTHORIZED) throw error;
    }
  }
  return false;
}

/** Creates the accounts, or resets their password. @param auth calls the auth service with a service token */
export async function putAccounts(auth: CallApi, password: string, serviceToken: string): Promise<void> {
  for (const { role, name, email, language, adminRole, worker: field } of DEMO_ACCOUNTS) {
    await auth('PUT /internal/accounts', {
      token: serviceToken,
      body: {
        role,
        name,
        email,
        language,
        password,
        emailVerified: true,
        ...(adminRole && { adminRole }),
        ...(field && { worker: field }),
      },
    });
  }
}

/** File in a data folder with the demo's progress; missing without a demo. */
export const DEMO_FILE = 'demo.json';
