import { createHash } from 'node:crypto';
import { identifier } from '../sql/pool.ts';

/** A table that triggers keep beside the documents, in the transaction of each write, and what is said to PostgreSQL of it. */
export interface KeptTable {
  /** Tells all of its definition: one that changed is another, which a former version beside leaves alone. */
  name: string;
  /** Quoted, with its schema. */
  table: string;
  /** Makes it, and the triggers. */
  create: string;
  /** Adds some of what it lacks beside the documents, and notes in the registry when it is filled. */
  fill: string;
  /** Indexes that are made when it is filled, outside of a transaction. */
  concurrently?: readonly { name: string; text: string }[];
}

/** Which tables are kept, and which can be relied on. Called after those that were the first. */
export const registryOf = (schema: string): string => `${identifier(schema)}._tallies`;

export const qualified = (schema: string, name: string): string =>
  `${identifier(schema)}.${identifier(name)}`;

/** @param definition all by which one table differs from another */
export function keptName(kind: string, collection: string, name: string, definition: unknown): string {
  const mark = createHash('sha256').update(JSON.stringify(definition)).digest('hex').slice(0, 8);
  return `_${kind}_${collection}_${name}_${mark}`;
}

const keeperOf = (schema: string, name: string): string => `${identifier(schema)}."${name}_keeper"`;
const emptierOf = (schema: string, name: string): string => `${identifier(schema)}."${name}_emptier"`;

/** Has a table kept: `body` (of plpgsql, from `declare` to `end`) runs for every document that is written. */
export function keeperText(parts: { schema: string; name: string; source: string; body: string }): string {
  const { schema, name, source, body } = parts;
  const [keeper, emptier] = [keeperOf(schema, name), emptierOf(schema, name)];
  return `
    create function ${keeper}() returns trigger language plpgsql as $keeper$
    ${body} $keeper$;
    create function ${emptier}() returns trigger language plpgsql as $emptier$
    begin
      truncate ${qualified(schema, name)};
      return null;
    end $emptier$;
    create trigger ${identifier(name)} after insert or delete or update of doc on ${source}
      for each row execute function ${keeper}();
    create trigger "${name}_t" after truncate on ${source}
      for each statement execute function ${emptier}()`;
}

/** Takes away a table that nobody wants any more. */
export const dropText = (schema: string, name: string): string =>
  `drop function if exists ${keeperOf(schema, name)} cascade;
   drop function if exists ${emptierOf(schema, name)} cascade;
   drop table if exists ${qualified(schema, name)}`;

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const UNDEFINED_TABLE = '42P01';

/** Asks kept tables; when another version took one away, the documents alone. */
export async function unlessGone<T>(ask: () => Promise<T>, askDocuments: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if ((error as { code?: string }).code !== UNDEFINED_TABLE) throw error;
    return askDocuments();
  }
}
