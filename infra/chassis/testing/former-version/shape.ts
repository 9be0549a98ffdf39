import type pg from 'pg';

export interface Column {
  name: string;
  type: string;
  notNull: boolean;
  hasDefault: boolean;
  /** Of a value that PostgreSQL makes itself. */
  generated: boolean;
  /** Where its values come from. */
  references?: { table: string; column: string };
  /** The first of those that a check allows. */
  allowed?: string;
  /** Of a document: what other columns are made of. */
  keys: string[];
}

/** A table, or a view, as a version knows it. */
export interface Shape {
  name: string;
  isView: boolean;
  columns: Column[];
  primaryKey: string[];
}

/** What the schema is now; those that others refer to come first. */
export async function readShapes(client: Pick<pg.Client, 'query'>, schema: string): Promise<Shape[]> {
  const { rows: columns } = await client.query<{
    table: string; kind: string; name: string; type: string; notNull: boolean; identity: string;
    generated: string; expression: string | null;
  }>(
    `select c.relname as table, c.relkind as kind, a.attname as name, format_type(a.atttypid, null) as type,
       a.attnotnull as "notNull", a.attidentity as identity, a.attgenerated as generated,
       pg_get_expr(d.adbin, d.adrelid) as expression
     from pg_attribute a join pg_class c on c.oid = a.attrelid
     left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
     where c.relnamespace = $1::regnamespace and c.relkind in ('r', 'v') and a.attnum > 0 and not a.attisdropped
       and c.relname <> '_migrations'
     order by c.relname, a.attnum`,
    [schema],
  ); // prettier-ignore
  const { rows: constraints } = await client.query<{
    table: string; type: string; columns: string[]; parent: string | null; parentColumns: string[] | null; text: string;
  }>(
    `select c.relname as table, k.contype as type, pg_get_constraintdef(k.oid) as text, p.relname as parent,
       array(select attname::text from pg_attribute where attrelid = k.conrelid and attnum = any(k.conkey)) as columns,
       array(select attname::text from pg_attribute where attrelid = k.confrelid and attnum = any(k.confkey))
         as "parentColumns"
     from pg_constraint k join pg_class c on c.oid = k.conrelid left join pg_class p on p.oid = k.confrelid
     where c.relnamespace = $1::regnamespace`,
    [schema],
  ); // prettier-ignore
  const shapes = [...Map.groupBy(columns, ({ table }) => table)].map(([name, its]): Shape => {
    const own = constraints.filter(({ table }) => table === name);
    const allowedOf = (column: string) =>
      own
        .filter(({ type, columns: [only, ...more] }) => type === 'c' && only === column && more.length === 0)
        .map(({ text }) => /ARRAY\['([^']+)'/.exec(text)?.[1])
        .find((value) => value !== undefined);
    return {
      name,
      isView: its[0]!.kind === 'v',
      primaryKey: own.find(({ type }) => type === 'p')?.columns ?? [],
      columns: its.map((column) => {
        const key = own.find(({ type, columns: [only] }) => type === 'f' && only === column.name);
        const allowed = allowedOf(column.name);
        return {
          name: column.name,
          type: column.type,
          notNull: column.notNull,
          hasDefault: column.expression !== null && column.generated === '',
          generated: column.generated !== '' || column.identity !== '',
          keys: its.flatMap(({ generated, expression }) =>
            generated === '' ? [] : keysOf(expression ?? '', column.name),
          ),
          ...(key && { references: { table: key.parent!, column: key.parentColumns![0]! } }),
          ...(allowed !== undefined && { allowed }),
        };
      }),
    };
  });
  return parentsFirst(shapes);
}

const keysOf = (expression: string, column: string): string[] =>
  [...expression.matchAll(/(\w+) ->> '(\w+)'/g)].filter(([, of]) => of === column).map(([, , key]) => key!);

function parentsFirst(shapes: readonly Shape[]): Shape[] {
  const done: Shape[] = [];
  const isReady = ({ name, columns }: Shape) =>
    columns.every(
      ({ references }) =>
        !references || references.table === name || done.some((shape) => shape.name === references.table),
    );
  for (let left = [...shapes]; left.length > 0; left = left.filter((shape) => !done.includes(shape))) {
    const next = left.filter(isReady);
    if (next.length === 0) throw new Error('tables refer to each other in a circle');
    done.push(...next);
  }
  return done;
}
