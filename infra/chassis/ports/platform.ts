import type { Db } from 'mongodb';
import type { Dependency } from './engine.ts';
import type { EventBus } from './event-bus.ts';
import type { Jobs } from './jobs.ts';
import type { Mailer } from './mailer.ts';
import type { ObjectStore } from './object-store.ts';
import type { Sql } from './sql.ts';

/** The engines under a service. Services of one process may share a platform. */
export interface Platform {
  bus: EventBus;
  /** Jobs of one service; job names are scoped to it. */
  jobs(service: string): Jobs;
  /** @param migrations folder of numbered .sql files, each run once */
  sql(service: string, migrations: URL): Promise<Sql>;
  /** Opens a service's database on MongoDB; absent when none is configured. */
  mongodb?<T extends Dependency & { close(): Promise<void> }>(
    service: string,
    open: (db: Db) => Promise<T>,
  ): Promise<T>;
  objects(bucket: string): Promise<ObjectStore>;
  mailer(): Mailer;
  close(): Promise<void>;
}
