import { checkEnding, type Counts, endingOf, linesOf, readFrames } from '@arboleda/chassis/backup/format.ts';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

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

/** Counts by collection. @throws when the file is incomplete */
export async function documentsIn(file: string): Promise<Counts> {
  const counts: Counts = {};
  let ending: Counts | undefined;
  let current = '';
  for await (const line of linesOf(createReadStream(file))) {
    if (line.startsWith('{"document":')) counts[current]!++;
    else if (line.startsWith('{"collection":')) counts[(current = nameIn(line))] = 0;
    else ending = endingOf(JSON.parse(line) as object);
  }
  checkEnding('the documents', ending, counts);
  return counts;
}

const nameIn = (line: string): string => (JSON.parse(line) as { collection: string }).collection;

/** @throws when the file is incomplete */
export async function objectsIn(file: string): Promise<number> {
  let count = 0;
  for await (const _object of readFrames(createReadStream(file))) count++;
  return count;
}

/** @throws when the file is incomplete */
export async function messagesIn(file: string): Promise<number> {
  let messages = 0;
  let ending: Counts | undefined;
  for await (const line of linesOf(createReadStream(file))) {
    if (line.startsWith('{"topic":')) messages++;
    else if (line.startsWith('{"end":')) ending = endingOf(JSON.parse(line) as object);
  }
  checkEnding('the events', ending, { messages });
  return messages;
}
