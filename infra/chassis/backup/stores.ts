import type pg from 'pg';
import type { ServiceName } from '@arboleda/contracts/services.ts';
import type { ObjectStore } from '../ports/object-store.ts';

/**
 * Documents that are in tables in one tier and in MongoDB in the other. Their copies are equal in both, and every later
 * version can read them.
 */
export interface DocumentCopies {
  /** The tables that hold them in PostgreSQL, which are not copied as rows. */
  tables: readonly string[];
  /** @param client in the transaction of the backup */
  fromPostgres(client: pg.Client): AsyncGenerator<Document>;
  toPostgres(client: pg.Client, document: object): Promise<void>;
  /** Documents are read one after another: MongoDB without replicas has no snapshot. */
  fromMongodb(databaseUrl: string): AsyncGenerator<Document>;
  toMongodb(databaseUrl: string): Promise<DocumentWriter>;
}

export interface Document {
  document: object;
  /** Events of this document that were not published yet. */
  outbox: { id: string; type: string; key: string }[];
  /** The facts that others have to agree with: see facts.ts. */
  facts: [fact: string, value: string][];
}

export interface DocumentWriter {
  write(document: object): Promise<void>;
  close(): Promise<void>;
}

/** Where a service keeps what it has. */
export interface ServiceStores {
  service: ServiceName;
  /** A session in the transaction that the copy is made of. */
  client?: pg.Client | undefined;
  /** Set where documents are in MongoDB. */
  mongodbUrl?: string | undefined;
  documents?: DocumentCopies | undefined;
  objects?: ObjectStore | undefined;
}
