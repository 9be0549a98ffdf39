import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Journal, readJournal } from './journal.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'journal-'));
  path = join(folder, 'journal.jsonl');
});
afterEach(() => rm(folder, { recursive: true }));

const read = async () => {
  const lines = [];
  for await (const line of readJournal(path)) lines.push(line);
  return lines;
};
const open = async (snapshot: () => string[] = () => [], compactAboveBytes?: number) => {
  const journal = new Journal({ path, snapshot, ...(compactAboveBytes && { compactAboveBytes }) });
  await journal.open();
  return journal;
};

test('a line is on the disk when its promise resolves', async () => {
  const journal = await open();
  await journal.append('{"a":1}');
  expect(await read()).toEqual([{ a: 1 }]);
  await Promise.all([journal.append('2'), journal.append('3'), journal.settled()]);
  expect(await read()).toEqual([{ a: 1 }, 2, 3]);
  await journal.close();
});

test('opening writes the snapshot in place of the lines', async () => {
  await writeFile(path, '1\n2\n3\n');
  const journal = await open(() => ['6']);
  await journal.append('7');
  await journal.close();
  expect(await read()).toEqual([6, 7]);
});

test('a file that has grown is compacted, and loses nothing', async () => {
  const state: number[] = [];
  const journal = await open(() => [JSON.stringify(state)], 200);
  for (let count = 0; count < 100; count++) {
    state.push(count);
    await journal.append(JSON.stringify(state));
    expect((await read()).at(-1)).toEqual(state);
  }
  const biggestLine = JSON.stringify(state).length;
  expect((await readFile(path)).length).toBeLessThan(4 * biggestLine);
  await journal.close();
});

test('only a last line may be torn', async () => {
  await writeFile(path, '1\n{"to');
  expect(await read()).toEqual([1]);
  await appendFile(path, '\n2\n');
  await expect(read()).rejects.toThrow(/damaged/);
});

test('a closed journal takes no more lines', async () => {
  const journal = await open();
  await journal.close();
  await expect(journal.append('1')).rejects.toThrow(/closed/);
});

test('a line that arrives just as another is done is not left behind', async () => {
  const journal = await open();
  for (let count = 0; count < 50; count++) {
    await journal.append(String(count));
    await Promise.resolve().then(() => journal.settled());
  }
  expect(await read()).toHaveLength(50);
  await journal.close();
});

test('a failed write is an error to those who wait, and is made good by the next', async () => {
  let broken = false;
  const state: string[] = [];
  const journal = await open(() => {
    if (broken) throw new Error('No space left on device');
    return state;
  }, 10);
  state.push('"a line of some length"');
  await journal.append('"a line of some length"');
  broken = true;
  state.push('2');
  await expect(journal.append('2')).rejects.toThrow('No space left');
  await expect(journal.settled()).rejects.toThrow('No space left');
  broken = false;
  state.push('3');
  await journal.append('3');
  expect(await read()).toEqual(['a line of some length', 2, 3]);
  await journal.close();
});
