import { createHash } from 'node:crypto';
import type { QueryConfig } from 'pg';

/** Bounds the memory for plans when texts are generated. */
const MAX_NAMES = 300;
/** PostgreSQL rejects a prepared `*` after a column is added, so such statements are planned at every run. */
export const ALL_COLUMNS = /(select |returning |\.)\*/i;

const names = new Map<string, string | undefined>();

/**
 * A prepared statement: parsed and planned once per connection.
 * https://www.postgresql.org/docs/current/sql-prepare.html
 */
export function prepared(text: string, values?: readonly unknown[]): QueryConfig {
  const name = nameOf(text);
  return { ...(name !== undefined && { name }), text, values: values as unknown[] };
}

function nameOf(text: string): string | undefined {
  if (names.has(text)) return names.get(text);
  if (names.size >= MAX_NAMES) return undefined;
  const name = ALL_COLUMNS.test(text) ? undefined : createHash('sha256').update(text).digest('base64url');
  names.set(text, name);
  return name;
}
