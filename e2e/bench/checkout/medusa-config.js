/** A store on the given database, in memory instead of Redis, without dashboard and search index. */
import { defineConfig } from '@medusajs/framework/utils';
import { randomUUID } from 'node:crypto';

export default defineConfig({
  projectConfig: {
    databaseUrl: process.env.DATABASE_URL,
    databaseDriverOptions: { connection: { ssl: false }, pool: { max: 16 } },
    http: { jwtSecret: randomUUID(), cookieSecret: randomUUID(), storeCors: '', adminCors: '', authCors: '' },
  },
  admin: { disable: true },
  modules: { search: false },
});
