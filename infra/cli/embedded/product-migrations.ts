import {
  CHASSIS,
  type MigrationSet,
  setsOfService,
} from '@arboleda/chassis/adapters/postgres/sql/migration-files.ts';
import type { Environment } from '@arboleda/chassis/environment.ts';
import { SERVICES } from '@arboleda/contracts/services.ts';

/** Migrations of the chassis and of all services; without those of media when its documents are in MongoDB. */
export const productMigrations = (env: Environment): MigrationSet[] => [
  CHASSIS,
  ...SERVICES.filter((name) => name !== 'media' || !env.MONGODB_URL).flatMap((name) =>
    setsOfService(name, new URL(`../../../services/${name}/migrations/`, import.meta.url)),
  ),
];
