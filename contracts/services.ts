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

interface Description {
  /** The subject of its endpoints. */
  about: string;
  /** The engine of its records in docker compose and Kubernetes; `npm start` keeps all in PostgreSQL. */
  records: 'postgres' | 'mongodb';
  /** Whether it stores files. */
  hasObjects: boolean;
}

const DESCRIPTIONS = {
  auth: { about: 'Accounts of customers, workers and admins', records: 'postgres', hasObjects: false },
  pricing: { about: 'Prices in the visitor’s currency', records: 'postgres', hasObjects: false },
  payments: {
    about: 'Card payments, bank transfers, refunds and photo packages',
    records: 'postgres',
    hasObjects: true,
  },
  orders: { about: 'Orders and their timeline', records: 'postgres', hasObjects: false },
  assignments: { about: 'The work of planting', records: 'postgres', hasObjects: false },
  media: { about: 'Photos', records: 'mongodb', hasObjects: true },
  notifications: { about: 'Mails', records: 'postgres', hasObjects: false },
} as const satisfies Record<ServiceName, Description>;

/** Services whose records are documents of MongoDB in the distributed tier; all others have a database of PostgreSQL. */
export type DocumentService = {
  [Name in ServiceName]: (typeof DESCRIPTIONS)[Name]['records'] extends 'mongodb' ? Name : never;
}[ServiceName];

export const hasDocuments = (name: ServiceName): name is DocumentService =>
  DESCRIPTIONS[name].records === 'mongodb';

export const SQL_SERVICES = SERVICES.filter((name) => !hasDocuments(name));
export const DOCUMENT_SERVICES = SERVICES.filter(hasDocuments);
/** Services with a bucket, or folder, of their own. */
export const OBJECT_SERVICES: readonly ServiceName[] = SERVICES.filter(
  (name) => DESCRIPTIONS[name].hasObjects,
);

export const subjectOf = (name: ServiceName): string => DESCRIPTIONS[name].about;

/** The variable with a service's base URL, such as AUTH_URL. */
export const urlVariable = <Name extends ServiceName>(name: Name) =>
  `${name.toUpperCase() as Uppercase<Name>}_URL` as const;

/** Callers with a service key: the services, and the operator, whose commands and demo create accounts. */
export const CALLERS = [...SERVICES, 'operator'] as const;
export type Caller = (typeof CALLERS)[number];
