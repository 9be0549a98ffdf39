import type { Migration } from '../migration.ts';
import { clauses, plainStatements } from './statements.ts';

/** What a migration does to a version that still runs on the same tables, when it is not only adding. */
export interface Objection {
  /** `auth/002_whole_account.sql` */
  migration: string;
  /** What is objected to, by which an exception names it. */
  rule: string;
  statement: string;
}

/** As far as PostgreSQL remembers the default of a new column instead of writing it into every row. */
const VOLATILE = /default .*\b(gen_random_uuid|random|clock_timestamp|nextval|uuidv\d|timeofday)\(/;
const NAME = '(?:if (?:not )?exists )?(?:only )?"?([\\w.]+)"?';

/** What a clause of `alter table` on a table that exists does to those who use it. */
const COLUMN_RULES: readonly [RegExp, string][] = [
  [/^add (column )?.* generated always as \(.*\) stored/, 'rewrites the table'],
  [/^add (column )?.*\b(smallserial|serial|bigserial|identity)\b/, 'rewrites the table'],
  [/^add (column )?.*\b(primary key|unique)\b/, 'makes an index while nobody can write'],
  [/^add (column )?.*\breferences\b/, 'checks every row while nobody can write'],
  [/^add (constraint|column )?.*\bcheck \(/, 'checks every row while nobody can write'],
  [/^add constraint\b/, 'refuses what the version before writes'],
  [/^alter (column )?\w+ (set data )?type\b/, 'changes a type'],
  [/^alter (column )?\w+ set not null/, 'refuses what the version before writes'],
  [/^alter (column )?\w+ drop default/, 'refuses what the version before writes'],
  [/^drop constraint\b/, 'drops'],
  [/^drop\b/, 'drops'],
  [/^rename\b/, 'renames'],
];

const STATEMENT_RULES: readonly [RegExp, string][] = [
  [/^drop index concurrently\b/, 'drops'],
  [/^drop\b/, 'drops'],
  [
    /^(truncate|lock|cluster|vacuum full|refresh materialized view|reindex (?!.*concurrently))\b/,
    'holds a long lock',
  ],
  [/^do\b/, 'does what cannot be read'],
];

/** Harmless on whatever they name. */
const ADDING = [
  new RegExp(`^create (unlogged )?table ${NAME}`),
  /^create (or replace )?view\b/,
  /^create (function|type|extension|sequence|domain)\b/,
  /^comment on\b/,
  /^analyze\b/,
];

/**
 * What must not be done to tables that earlier migrations made, as the version before runs on them meanwhile. What nobody
 * knows to be harmless is objected to.
 */
export function objections(service: string, migrations: readonly Migration[]): Objection[] {
  const made = new Set<string>();
  return migrations.flatMap((migration) => {
    const existing = new Set(made);
    const statements = plainStatements(migration.text);
    for (const statement of statements) {
      const table = new RegExp(`^create (?:unlogged )?table ${NAME}`).exec(statement)?.[1];
      if (table) made.add(table);
    }
    return statements.flatMap((statement) =>
      rulesAgainst(statement, existing, migration.isConcurrent).map((rule) => ({
        migration: `${service}/${migration.name}`,
        rule,
        statement,
      })),
    );
  });
}

function rulesAgainst(statement: string, existing: ReadonlySet<string>, isConcurrent: boolean): string[] {
  const [, altered, actions] = new RegExp(`^alter table ${NAME} (.*)$`).exec(statement) ?? [];
  if (altered) return existing.has(altered) ? clauses(actions!).flatMap(againstClause) : [];

  const index = new RegExp(`^create (unique )?index (concurrently )?.*? ?on ${NAME}`).exec(statement);
  if (index) return existing.has(index[3]!) ? againstIndex(index, isConcurrent) : [];

  const trigger = new RegExp(`^create (?:constraint )?trigger .*? on ${NAME}`).exec(statement);
  if (trigger) return existing.has(trigger[1]!) ? ['runs in what the version before writes'] : [];

  const written = new RegExp(`^(?:insert into|update|delete from) ${NAME}`).exec(statement);
  if (written) return existing.has(written[1]!) ? ['writes rows that others write'] : [];

  const rule = STATEMENT_RULES.find(([pattern]) => pattern.test(statement))?.[1];
  if (rule) return [rule];
  return ADDING.some((pattern) => pattern.test(statement)) ? [] : ['is not known to be harmless'];
}

function againstClause(clause: string): string[] {
  const rule = COLUMN_RULES.find(([pattern]) => pattern.test(clause))?.[1];
  if (rule) return [rule];
  if (
    /^validate constraint\b/.test(clause) ||
    /^alter (column )?\w+ (set default|drop not null|set statistics)\b/.test(clause)
  )
    return [];
  if (!/^add\b/.test(clause)) return ['is not known to be harmless'];
  if (VOLATILE.test(clause)) return ['rewrites the table'];
  if (/\bnot null\b/.test(clause) && !/\bdefault\b/.test(clause))
    return ['refuses what the version before writes'];
  return [];
}

function againstIndex([, unique, concurrently]: RegExpExecArray, isConcurrent: boolean): string[] {
  if (!concurrently || !isConcurrent) return ['makes an index while nobody can write'];
  return unique ? ['refuses what the version before writes'] : [];
}
