import { createHash } from 'node:crypto';
import type { QueryConfig } from 'pg';

/** Each connection keeps the plans of what it was asked; texts that are put together anew for each question have no end. */
const MOST_NAMES = 300;
/** Adding a column changes what such a statement answers, and PostgreSQL refuses a plan that was made before. */
const ALL_COLUMNS = /(select |returning |\.)\*/i;

const names = new Map<string, string | undefined>();

/**
 * A statement that PostgreSQL reads and plans once for each connection, and not each time it is asked.
 * https://www.postgresql.org/docs/current/sql-prepare.html
 */
export function prepared(text: string, values?: readonly unknown[]): QueryConfig {
  const name = nameOf(text);
  return { ...(name !== undefined && { name }), text, values: values as unknown[] };
}

function nameOf(text: string): string | undefined {
  if (names.has(text)) return names.get(text);
  if (names.size >= MOST_NAMES) return undefined;
  const name = ALL_COLUMNS.test(text) ? undefined : createHash('sha256').update(text).digest('base64url');
  names.set(text, name);
  return name;
}
