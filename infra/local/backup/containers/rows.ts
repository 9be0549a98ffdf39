import { createHash } from 'node:crypto';

/** What a table holds, in a line that is the same only for the same rows, in whatever order they lie. */
export type Tables = Map<string, { rows: number; sum: string }>;

const COPY = /^COPY (\S+) .*FROM stdin;$/;
const MODULUS = 1n << 256n;

/** Reads what pg_dump and pg_restore say of data, line by line: each row is a line between COPY and "\.". */
export function openRows() {
  const tables = new Map<string, { rows: number; sum: bigint }>();
  let current: { rows: number; sum: bigint } | undefined;
  return {
    take(line: string): void {
      if (current === undefined) {
        const name = COPY.exec(line)?.[1];
        if (name !== undefined) tables.set(name, (current = { rows: 0, sum: 0n }));
      } else if (line === '\\.') {
        current = undefined;
      } else {
        current.rows++;
        current.sum =
          (current.sum + BigInt(`0x${createHash('sha256').update(line).digest('hex')}`)) % MODULUS;
      }
    },
    tables: (): Tables =>
      new Map([...tables].map(([name, { rows, sum }]) => [name, { rows, sum: sum.toString(16) }])),
  };
}

/** @returns the tables that do not hold the same */
export const differing = (one: Tables, other: Tables): string[] =>
  [...new Set([...one.keys(), ...other.keys()])].filter(
    (name) => one.get(name)?.rows !== other.get(name)?.rows || one.get(name)?.sum !== other.get(name)?.sum,
  );
