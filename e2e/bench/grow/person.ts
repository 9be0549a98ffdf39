import type { WorkerProfile } from '@arboleda/assignments/workers/worker.ts';

const FIRST = [
  'María José',
  'Ana',
  'Luisa',
  'Camila',
  'Valentina',
  'Sofía',
  'Isabella',
  'Daniela',
  'Juan',
  'Carlos',
  'Andrés',
  'Santiago',
  'Mateo',
  'Felipe',
  'Jorge',
  'Emma',
  'Olivia',
  'Noah',
  'Liam',
  'Lucas',
];
const LAST = [
  'Pérez',
  'Gómez',
  'Rodríguez',
  'Restrepo',
  'Zúñiga',
  'Muñoz',
  'Castaño',
  'Álvarez',
  'Ruiz',
  'Vélez',
  'Ortiz',
  'Mejía',
  'Smith',
  'Johnson',
  'Müller',
  'Dubois',
  'Rossi',
  'García-Márquez',
  'O’Brien',
  'Silva',
  'Londoño',
  'Arango',
  'Cano',
];

/** Orders of one customer in three years. */
const ORDERS_OF_CUSTOMER = 3;
/** Orders of one worker. More orders mean more workers. */
const ORDERS_OF_WORKER = 200;

/** The customer of the n-th order. Some customers order again years later. */
export function customerOf(n: number, total: number) {
  const number = n % Math.max(1, Math.floor(total / ORDERS_OF_CUSTOMER));
  const [first, last] = [FIRST[number % FIRST.length]!, LAST[number % LAST.length]!];
  return {
    name: `${first} ${last}`,
    email: `${plain(first)}.${plain(last)}.${number}@mail.test`,
    phone: '+57 300 1234567',
    country: 'CO' as const,
  };
}

export const workersFor = (total: number): number => Math.max(1, Math.floor(total / ORDERS_OF_WORKER));

/** The worker of the n-th order. */
export function workerOf(n: number, total: number) {
  const number = n % workersFor(total);
  return {
    workerId: `worker-${number}`,
    code: `QU-${String(number).padStart(4, '0')}`,
    name: `${FIRST[number % FIRST.length]} ${LAST[number % LAST.length]}`,
    email: `worker.${number}@arboleda.test`,
    region: 'Quindío',
  };
}

/** The same, as assignments keeps it. */
export function profileOf(n: number, total: number, nowMs: number): WorkerProfile {
  const { workerId: _id, ...account } = workerOf(n, total);
  const occurredAt = new Date(nowMs).toISOString();
  return { _id, ...account, language: 'es', active: true, capacityTrees: 10_000, sequence: 1, occurredAt };
}

const plain = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/[^a-zA-Z]/g, '')
    .toLowerCase();
