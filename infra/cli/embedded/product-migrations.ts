import {
  CHASSIS,
  type MigrationSet,
  setsOfService,
} from '@arboleda/chassis/adapters/postgres/sql/migration-files.ts';
import type { Environment } from '@arboleda/chassis/environment.ts';
import { hasDocuments, SERVICES } from '@arboleda/contracts/services.ts';

/** Migrations of the chassis and of all services; without those of documents when MongoDB keeps them. */
export const productMigrations = (env: Environment): MigrationSet[] => [
  CHASSIS,
  ...SERVICES.filter((name) => !hasDocuments(name) || !env.MONGODB_URL).flatMap((name) =>
    setsOfService(name, new URL(`../../../services/${name}/migrations/`, import.meta.url)),
  ),
];
