import type { ObjectStore } from '../ports/object-store.ts';
import type { Sql } from '../ports/sql.ts';
import { SPANS } from './names.ts';
import { tracedCalls } from './trace.ts';

// Attributes: https://opentelemetry.io/docs/specs/semconv/database/, version 1.38.

/** Statements and transactions of a request, event or job become spans. Their texts and values stay out. */
export const tracedSql = (schema: string, sql: Sql): Sql =>
  tracedCalls(sql, ['query', 'prepared', 'write', 'transaction', 'consume', 'auditRead'], (operation) => ({
    name: SPANS.callEngine('postgresql', operation),
    kind: 'client',
    attributes: { 'db.system.name': 'postgresql', 'db.namespace': schema, 'db.operation.name': operation },
  }));

export const tracedObjects = (bucket: string, objects: ObjectStore): ObjectStore =>
  tracedCalls(objects, ['put', 'get', 'read', 'info', 'delete'], (operation) => ({
    name: SPANS.callEngine('objects', operation),
    kind: 'client',
    attributes: { 'aws.s3.bucket': bucket },
  }));
