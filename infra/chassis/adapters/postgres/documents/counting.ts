import type pg from 'pg';
import type { Collection, Where } from '../../../ports/documents.ts';
import { compileWhere, path } from './query.ts';
import { type KeptTally, registryOf, sumOf, tallyFor } from './tallies.ts';

type Counting = Pick<Collection<never>, 'count' | 'countBy' | 'sum' | 'sumBy'>;

/** So many rows of changes are read faster than they are put together. */
const FRESH_ROWS = 1_000;
/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const UNDEFINED_TABLE = '42P01';

/** What is asked: of which fields, and with which expressions of documents or of a tally's rows. */
interface Question {
  fields: readonly string[];
  summed?: string;
  /** Columns of the answer; `figure` is what is counted or summed up. */
  select: (figure: string) => string;
  where: Where | undefined;
  rest?: string;
}

interface Row {
  value: string;
  figure: string | null;
}

/**
 * Figures of a collection: of a tally when there is one that tells them, else of the documents themselves.
 * @param due is told of tallies that should be put together
 */
export function openCounting(parts: {
  pool: pg.Pool;
  schema: string;
  table: string;
  tallies: readonly KeptTally[];
  due: (tally: KeptTally) => void;
}): Counting {
  const { pool, schema, table, tallies, due } = parts;

  const readDocuments = async ({ summed, select, where, rest = '' }: Question): Promise<Row[]> => {
    const { text, values } = compileWhere(where);
    const figure = summed === undefined ? 'count(*)' : sumOfDocuments(summed);
    const { rows } = await pool.query<Row>(
      `select ${select(figure)} from ${table} where ${text}${rest}`,
      values,
    );
    return rows;
  };

  /** @returns undefined when the tally cannot tell: it is being filled, or another version took it away. */
  const readTally = async (kept: KeptTally, question: Question): Promise<Row[] | undefined> => {
    const { summed, select, where, rest = '' } = question;
    const { text, values } = compileWhere(where);
    const figure = summed === undefined ? 'sum(n)' : sumOf(kept.tally, summed);
    // In one statement, so of one moment. Of a tally there may be rows of what is no more.
    const { rows } = await pool.query<Row & { isTold: boolean; fresh: number | null }>(
      `select state.*, told.* from (
         select exists (select from ${registryOf(schema)} where name = '${kept.name}' and is_filled) as "isTold"
       ) as state left join (
         select ${select(figure)}, count(*) filter (where not is_folded)::int as fresh
         from ${kept.table} where ${text}${rest && `${rest} having sum(n) > 0`}
       ) as told on true`,
      values,
    );
    if (!rows[0]?.isTold) return undefined;
    const fresh = rows.reduce((sum, row) => sum + (row.fresh ?? 0), 0);
    if (fresh > FRESH_ROWS) due(kept);
    return rows.filter((row) => row.fresh !== null);
  };

  const ask = async (question: Question): Promise<Row[]> => {
    const kept = tallyFor(tallies, question.fields, question.summed);
    if (!kept) return readDocuments(question);
    try {
      return (await readTally(kept, question)) ?? (await readDocuments(question));
    } catch (error) {
      if ((error as { code?: string }).code !== UNDEFINED_TABLE) throw error;
      return readDocuments(question);
    }
  };

  const figure = async (where: Where | undefined, summed?: string): Promise<number> => {
    const [row] = await ask({
      fields: fieldsOf(where),
      ...(summed !== undefined && { summed }),
      select: (text) => `${text} as figure`,
      where,
    });
    return Number(row?.figure ?? 0);
  };
  const figures = async (by: string, where: Where | undefined, summed?: string) => {
    const value = `doc #>> '${path(by)}'`;
    const rows = await ask({
      fields: [by, ...fieldsOf(where)],
      ...(summed !== undefined && { summed }),
      select: (text) => `${value} as value, ${text} as figure`,
      where,
      rest: ` and ${value} is not null group by 1`,
    });
    return Object.fromEntries(rows.map((row) => [row.value, Number(row.figure ?? 0)]));
  };

  return {
    count: (where) => figure(where),
    countBy: (field, where) => figures(field, where),
    sum: (field, where) => figure(where, field),
    sumBy: (field, by, where) => figures(by, where, field),
  };
}

/** Those that something is asked of. */
const fieldsOf = (where: Where = {}): string[] =>
  Object.keys(where).filter((field) => where[field] !== undefined);

const sumOfDocuments = (field: string) =>
  `sum((doc #>> '${path(field)}')::numeric) filter (where jsonb_typeof(doc #> '${path(field)}') = 'number')`;
