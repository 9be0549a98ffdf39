import { createHash } from 'node:crypto';

/** Contents of tables: the sum is equal only for equal rows, in any order. */
export type Tables = Map<string, { rows: number; sum: string }>;

const COPY = /^COPY (\S+) .*FROM stdin;$/;
/** The server's own count after a table's rows, and the last line. */
const COUNT = /^-- (\d+) rows of (.+)$/;
export const END = '-- end';
const MODULUS = 1n << 256n;

/** Reads the output of pg_dump or pg_restore line by line: rows are the lines between COPY and "\.". */
export function openRows() {
  const tables = new Map<string, { rows: number; sum: bigint }>();
  let current: { rows: number; sum: bigint } | undefined;
  let ended = false;
  return {
    take(line: string): void {
      if (current === undefined) {
        const name = COPY.exec(line)?.[1];
        const [, counted, of = ''] = COUNT.exec(line) ?? [];
        if (name !== undefined) tables.set(name, (current = { rows: 0, sum: 0n }));
        else if (counted !== undefined) checkCount(of, Number(counted), tables.get(of)?.rows ?? 0);
        ended ||= line === END;
      } else if (line === '\\.') {
        current = undefined;
      } else {
        current.rows++;
        current.sum =
          (current.sum + BigInt(`0x${createHash('sha256').update(line).digest('hex')}`)) % MODULUS;
      }
    },
    /** @throws when the last line is missing */
    tables(): Tables {
      if (!ended) throw new Error('the rows break off: their last line is missing');
      return new Map([...tables].map(([name, { rows, sum }]) => [name, { rows, sum: sum.toString(16) }]));
    },
  };
}

function checkCount(table: string, held: number, came: number): void {
  if (held !== came) throw new Error(`the server holds ${held} rows of ${table}, and ${came} came`);
}

/** @returns the tables that differ */
export const differing = (one: Tables, other: Tables): string[] =>
  [...new Set([...one.keys(), ...other.keys()])].filter(
    (name) => one.get(name)?.rows !== other.get(name)?.rows || one.get(name)?.sum !== other.get(name)?.sum,
  );
