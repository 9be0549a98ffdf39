/**
 * Which store each service has, in the order in which they are copied. Orders come before payments, as orders hear of
 * payments and not the other way round: so what an order says was paid is in the books. Objects follow the rows that speak
 * of them.
 */
export const DOCUMENTS = ['media'] as const;
export const DATABASES = ['assignments', 'orders', 'notifications', 'payments', 'auth', 'pricing'] as const;
export const BUCKETS = ['media', 'payments'] as const;
export const ENGINES = ['postgres', 'mongodb', 'kafka', 'minio'] as const;
export const SETUPS = ['postgres-setup', 'mongodb-setup', 'kafka-setup', 'minio-setup'] as const;
/** The one whose user may read and write every topic. */
const SPEAKS_KAFKA = 'kafka-setup';

export const databaseFile = (name: string): string => `postgres/${name}.sql`;
export const documentsFile = (name: string): string => `documents/${name}.ndjson`;
export const objectsFile = (name: string): string => `objects/${name}.objects`;
export const EVENTS_FILE = 'events.ndjson';

/** In a container of its own, so that it is the same whether the service runs or not. */
const inService = (service: string, ...args: string[]) => [
  'run',
  '--rm',
  '--no-deps',
  '--no-TTY',
  service,
  'node',
  'infra/chassis/backup/main.ts',
  ...args,
];

export const dump = {
  documents: (service: string) => inService(service, 'documents', 'dump'),
  objects: (service: string) => inService(service, 'objects', 'dump'),
  events: inService(SPEAKS_KAFKA, 'events', 'dump'),
  marks: inService(SPEAKS_KAFKA, 'events', 'mark'),
};

export const bring = {
  /** The tables of a service, by its migrations. */
  schema: (service: string) => inService(service, 'schema', 'prepare'),
  documents: (service: string) => inService(service, 'documents', 'restore'),
  objects: (service: string) => inService(service, 'objects', 'restore'),
  events: inService(SPEAKS_KAFKA, 'events', 'restore'),
};
