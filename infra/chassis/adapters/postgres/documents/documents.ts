import type pg from 'pg';
import { openOutbox, type OutboxParts } from '../outbox/outbox.ts';
import type { Collection, CollectionDefinition, Document, Documents } from '../../../ports/documents.ts';
import { openCollection } from './collection.ts';
import { openFolding } from './folding.ts';
import { createIndexes, createTable } from './indexes.ts';
import { createKeptTables } from './kept-tables.ts';

export interface DocumentsParts extends OutboxParts {
  /** Events and jobs wait in the same database until they are done: a crash that loses an effect keeps its cause. */
  keepsCauses: boolean;
  clock?: () => Date;
}

/** Documents of one service as JSONB in a schema of its name. @param parts its pool is the caller's to end. */
export async function openDocuments(parts: DocumentsParts): Promise<Documents> {
  const outbox = await openOutbox(parts);
  const pool: pg.Pool = parts.pool;
  const folding = openFolding(pool, parts.logger);
  return {
    engine: 'postgres',
    async collection<T extends Document>(definition: CollectionDefinition): Promise<Collection<T>> {
      await createTable(pool, parts.service, definition);
      await createKeptTables(pool, parts.service, definition);
      // Afterwards, as an index may go for a table that does its work from now on.
      await createIndexes(pool, parts.service, definition);
      return openCollection<T>({
        pool,
        schema: parts.service,
        definition,
        outbox,
        folding,
        keepsCauses: parts.keepsCauses,
        clock: parts.clock ?? (() => new Date()),
      });
    },
    outboxAgeMs: outbox.ageMs,
    check: async () => void (await pool.query('select 1')),
    close: async () => void (await Promise.all([folding.close(), outbox.close()])),
  };
}
