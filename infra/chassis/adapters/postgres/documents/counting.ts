import type pg from 'pg';
import type { Bound, Collection, Where } from '../../../ports/documents.ts';
import { sumsBy } from '../../sums.ts';
import { prepared } from '../sql/prepared.ts';
import { compileWhere, limited, path } from './conditions.ts';
import { registryOf, unlessGone } from './kept.ts';
import { askLists, compileListCount, listedBy } from './lists.ts';
import type { KeptList } from './list-tables.ts';
import { compileSource } from './query.ts';
import { isIndexed, type KeptTally, sumOf, tallyFor } from './tallies.ts';

type Counting = Pick<Collection<never>, 'count' | 'countBy' | 'sum' | 'figuresBy'>;

/** So many rows of changes are read faster than they are put together. */
const FRESH_ROWS = 1_000;

/** What is asked of documents, or of a tally's rows in their place. */
interface Question extends Bound {
  where: Where | undefined;
  /** Of whose values each has its own figure; one for all when absent. */
  by?: string;
  /** What is summed up. */
  summed?: readonly string[];
}

/** With what is summed up in columns of its own, in the order of `summed`: a list of figures takes as long to read as they take to sum. */
interface Row extends Record<`sum_${number}`, string | null | undefined> {
  value: string | null;
  count: string | null;
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
  lists: readonly KeptList[];
  due: (tally: KeptTally) => void;
}): Counting {
  const { pool, schema, table, tallies, lists, due } = parts;

  const readDocuments = async (
    { summed = [], by, where, atMost }: Question,
    kept: readonly KeptList[],
  ): Promise<Row[]> => {
    const { from, text, values } = compileSource(table, where, kept);
    const sums = columnsOf(summed.map(sumOfDocuments));
    const { value, isThere, grouped } = groupingOf(by);
    const found = `from ${from} where ${text}${isThere}`;
    const asked =
      atMost === undefined
        ? `select ${value} as value, count(*) as count${sums} ${found}${grouped}`
        : `select value, count(*) as count from (select ${value} as value ${found}${limited(values, atMost)}) as counted group by value`;
    if (listedBy(kept, where)) return askLists(pool, { text: asked, values });
    return (await pool.query<Row>(asked, values)).rows;
  };

  /** @returns undefined when no list is asked for that knows everything else */
  const readList = async ({ summed, by, where, atMost }: Question): Promise<Row[] | undefined> => {
    const asked = listedBy(lists, where);
    const compiled = asked && !summed ? compileListCount(asked, by, atMost) : undefined;
    return compiled && askLists(pool, compiled);
  };

  /** @returns undefined when the tally cannot tell: it is being filled, or another version took it away. */
  const readTally = async (
    kept: KeptTally,
    { summed = [], by, where }: Question,
  ): Promise<Row[] | undefined> => {
    const { text, values } = compileWhere(where, [], { isIndexed: (field) => isIndexed(kept.tally, field) });
    const sums = columnsOf(summed.map((field) => sumOf(kept.tally, field)));
    const { value, isThere, grouped } = groupingOf(by);
    // In one statement, so of one moment. Of a tally there may be rows of what is no more.
    const asked = `
      select state.*, told.* from (
        select exists (select from ${registryOf(schema)} where name = '${kept.name}' and is_filled) as "isTold"
      ) as state left join (
        select ${value} as value, sum(n) as count${sums}, count(*) filter (where not is_folded)::int as fresh
        from ${kept.table} where ${text}${isThere}${grouped && `${grouped} having sum(n) > 0`}
      ) as told on true`;
    const { rows } = await pool.query<Row & { isTold: boolean; fresh: number | null }>(
      prepared(asked, values),
    );
    if (!rows[0]?.isTold) return undefined;
    const fresh = rows.reduce((sum, row) => sum + (row.fresh ?? 0), 0);
    if (fresh > FRESH_ROWS) due(kept);
    return rows.filter((row) => row.fresh !== null);
  };

  const ask = (question: Question): Promise<Row[]> => {
    const kept = tallyFor(tallies, fieldsOf(question), question.summed);
    return unlessGone(
      async () =>
        (await (kept ? readTally(kept, question) : readList(question))) ??
        (await readDocuments(question, lists)),
      () => readDocuments(question, []),
    );
  };

  const grouped = async <R>(question: Question, figureOf: (row: Row) => R): Promise<Record<string, R>> =>
    Object.fromEntries((await ask(question)).map((row) => [row.value, figureOf(row)]));
  const countOf = (row: Row | undefined): number => Number(row?.count ?? 0);
  const sumOfRow = (row: Row | undefined, at: number): number => Number(row?.[`sum_${at}`] ?? 0);

  return {
    count: async (where, bound) => countOf((await ask({ ...bound, where }))[0]),
    countBy: (by, where, bound) => grouped({ ...bound, by, where }, countOf),
    sum: async (field, where) => sumOfRow((await ask({ summed: [field], where }))[0], 0),
    figuresBy: (by, summed, where) =>
      grouped({ summed, by, where }, (row) => ({
        count: countOf(row),
        sums: sumsBy(summed, (at) => sumOfRow(row, at)),
      })),
  };
}

/** Those of which something is asked. */
const fieldsOf = ({ by, where = {} }: Question): string[] => [
  ...(by === undefined ? [] : [by]),
  ...Object.keys(where).filter((field) => where[field] !== undefined),
];

function groupingOf(by: string | undefined): { value: string; isThere: string; grouped: string } {
  if (by === undefined) return { value: 'null::text', isThere: '', grouped: '' };
  const value = `doc #>> '${path(by)}'`;
  return { value, isThere: ` and ${value} is not null`, grouped: ' group by 1' };
}

const columnsOf = (sums: readonly string[]): string =>
  sums.map((sum, at) => `, ${sum} as sum_${at}`).join('');

const sumOfDocuments = (field: string) =>
  `sum((doc #>> '${path(field)}')::numeric) filter (where jsonb_typeof(doc #> '${path(field)}') = 'number')`;
