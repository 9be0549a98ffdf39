import { DEMO_ADMIN, DEMO_CUSTOMER, DEMO_WORKERS } from '@arboleda/cli/demo/accounts.ts';
import type { Role } from '@arboleda/contracts/roles.ts';

export interface Person {
  role: Role;
  name: string;
  email: string;
  /** Also those of whom the demo knows nothing, which are made for the screens. */
  made?: { emailVerified?: boolean; worker?: { code: string; region: string; capacityTrees: number } };
}

/** Everybody as whom screens are looked at. */
export const PEOPLE = {
  admin: DEMO_ADMIN,
  donor: DEMO_CUSTOMER,
  worker: DEMO_WORKERS[0]!,
  worker2: DEMO_WORKERS[1]!,
  /** Forty characters of name, 10,000 trees, thirty photos. */
  longDonor: {
    role: 'customer',
    name: 'María Fernanda Echeverri-Bohórquez López',
    email: 'mariafernanda.echeverri-bohorquez@arboleda.test',
    made: {},
  },
  newcomer: { role: 'customer', name: 'Noor', email: 'noor@arboleda.test', made: {} },
  unverified: {
    role: 'customer',
    name: 'Pilar Ospina',
    email: 'pilar@arboleda.test',
    made: { emailVerified: false },
  },
  longWorker: {
    role: 'worker',
    name: 'Bartolomé Echeverri-Bohórquez Piedrahíta',
    email: 'bartolome.echeverri-bohorquez@arboleda.test',
    made: {
      worker: { code: 'NSA-0000001234567890', region: 'Norte de Santander', capacityTrees: 1_000_000 },
    },
  },
  idleWorker: {
    role: 'worker',
    name: 'Flor Tunubalá',
    email: 'flor@arboleda.test',
    made: { worker: { code: 'CA-099', region: 'Cauca', capacityTrees: 0 } },
  },
} as const satisfies Record<string, Person>;

export type PersonName = keyof typeof PEOPLE;
export const PERSON_NAMES = Object.keys(PEOPLE) as PersonName[];
