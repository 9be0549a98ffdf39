import { describe, expect, test } from '@jest/globals';
import { type Entry, historyTable, readHistory, unexplained, withEntry } from './history.ts';
import { backendMessages, frontendMessages } from './messages.ts';
import { type Work } from './meter.ts';

describe('history', () => {
  const LEAST: Work = {
    queries: 60,
    roundTrips: 60,
    bytesSent: 20_000,
    bytesReceived: 16_000,
    told: 8,
    delivered: 0.01,
    productMs: 30,
    postgresMs: 15,
  };
  const entry = (commit: string, work: Partial<Work> = {}, why?: string): Entry => ({
    commit,
    date: '2026-11-23',
    machine: 'one',
    work: { ...LEAST, ...work },
    ...(why !== undefined && { why }),
  });

  test('what an order costs has never risen without a word', () => {
    const history = readHistory();
    expect(history.length).toBeGreaterThan(3);
    expect(unexplained(history)).toEqual([]);
  });

  describe('a commit that lets work rise', () => {
    test('is named with what rose, until it says why', () => {
      const more = { queries: 62, told: 9 };
      const names = ['b: more SQL statements, events and jobs decided (rows of outboxes)'];
      expect(unexplained([entry('a'), entry('b', more), entry('c', more)])).toEqual(names);
      expect(unexplained([entry('a'), entry('b', more, 'one mail more')])).toEqual([]);
    });

    test('is not one that differs by chance, nor on a slower machine', () => {
      const chance = { queries: 60.5, delivered: 0.02, productMs: 60, postgresMs: 40 };
      expect(unexplained([entry('a'), entry('b', chance)])).toEqual([]);
    });
  });

  test('a commit that is measured again has one entry, the newest', () => {
    const again = entry('a', { queries: 59 });
    expect(withEntry([entry('a'), entry('b')], again)).toEqual([entry('b'), again]);
  });

  test('the table shows each commit, and where a reason is missing', () => {
    const { columns, rows } = historyTable([entry('a'), entry('b', { told: 9 })]);
    expect(rows.map((row) => [row[0], row[1], row.at(-1)])).toEqual([
      ['2026-11-23, a', 60, ''],
      ['2026-11-23, b', 60, 'b: more events and jobs decided (rows of outboxes)'],
    ]);
    expect(rows.every((row) => row.length === columns.length)).toBe(true);
  });
});

describe('messages', () => {
  const message = (type: string, body: string): Buffer => {
    const bytes = Buffer.from(body);
    const length = Buffer.alloc(4);
    length.writeInt32BE(bytes.length + 4);
    return Buffer.concat([Buffer.from(type), length, bytes]);
  };

  test('each statement that is run is told by its text, however the bytes arrive', () => {
    const ran: string[] = [];
    const take = frontendMessages((text) => ran.push(text));
    const session = Buffer.concat([
      message('', 'user\0'),
      message('Q', 'begin\0'),
      message('P', 'named\0select $1\0\0\0'),
      message('B', '\0named\0'),
      message('E', '\0\0\0\0\0'),
      message('S', ''),
      message('B', '\0named\0'),
      message('E', '\0\0\0\0\0'),
    ]);
    for (const byte of session) take(Buffer.from([byte]));
    expect(ran).toEqual(['begin', 'select $1', 'select $1']);
  });

  test('PostgreSQL has answered when it is ready for the next question', () => {
    let answers = 0;
    const take = backendMessages(() => answers++);
    take(
      Buffer.concat([message('D', 'a row'), message('Z', 'I'), message('C', 'done\0'), message('Z', 'I')]),
    );
    expect(answers).toBe(2);
  });
});
