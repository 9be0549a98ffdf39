/**
 * Stores of each service, in the order of copying. Orders come before payments, because orders follow payments: what
 * an order says was paid is then in payments too. Objects follow the rows that refer to them.
 */
export const DOCUMENTS = ['media'] as const;
export const DATABASES = ['assignments', 'orders', 'notifications', 'payments', 'auth', 'pricing'] as const;
export const BUCKETS = ['media', 'payments'] as const;
export const ENGINES = ['postgres', 'mongodb', 'kafka', 'minio'] as const;
export const SETUPS = ['postgres-setup', 'mongodb-setup', 'kafka-setup', 'minio-setup'] as const;
/** The only user with access to all topics. */
const SPEAKS_KAFKA = 'kafka-setup';

export const databaseFile = (name: string): string => `postgres/${name}.sql`;
export const documentsFile = (name: string): string => `documents/${name}.ndjson`;
export const objectsFile = (name: string): string => `objects/${name}.objects`;
export const EVENTS_FILE = 'events.ndjson';

/** In a separate container, so that it works whether or not the service runs. */
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
  /** Creates a service's tables by its migrations. */
  schema: (service: string) => inService(service, 'schema', 'prepare'),
  documents: (service: string) => inService(service, 'documents', 'restore'),
  objects: (service: string) => inService(service, 'objects', 'restore'),
  events: inService(SPEAKS_KAFKA, 'events', 'restore'),
};
