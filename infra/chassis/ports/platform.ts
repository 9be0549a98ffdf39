import type { Db } from 'mongodb';
import type { Dependency } from './engine.ts';
import type { EventBus } from './event-bus.ts';
import type { Jobs } from './jobs.ts';
import type { Mailer } from './mailer.ts';
import type { ObjectStore } from './object-store.ts';
import type { Sql } from './sql.ts';

/** The engines under a service. Several services of one process may share one platform. */
export interface Platform {
  bus: EventBus;
  /** Jobs of one service; names of different services do not meet. */
  jobs(service: string): Jobs;
  /** @param migrations folder of numbered .sql files, run once under a lock. */
  sql(service: string, migrations: URL): Promise<Sql>;
  /** Opens what a service keeps in its database on MongoDB; absent where the environment names no MongoDB. */
  mongodb?<T extends Dependency & { close(): Promise<void> }>(
    service: string,
    open: (db: Db) => Promise<T>,
  ): Promise<T>;
  objects(bucket: string): Promise<ObjectStore>;
  mailer(): Mailer;
  close(): Promise<void>;
}
