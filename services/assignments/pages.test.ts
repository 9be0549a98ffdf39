import { Problem } from '@arboleda/contracts/problems.ts';
import { describe, expect, test } from '@jest/globals';
import { readPage, type Section } from './pages.ts';

interface Item {
  id: string;
  day: string;
}

const items = (name: string, count: number): Item[] =>
  Array.from({ length: count }, (_, n) => ({ id: `${name}${n}`, day: `d${String(n).padStart(5, '0')}` }));

/** A section in memory that counts its reads. */
function section(name: string, count: number): Section<Item> & { reads: number } {
  const all = items(name, count);
  return {
    name,
    reads: 0,
    async read({ limit, after }) {
      this.reads++;
      const start = after ? all.findIndex(({ id }) => id === after[1]) + 1 : 0;
      return all.slice(start, start + limit);
    },
    placeOf: ({ day, id }) => [day, id],
  };
}

async function walk(sections: Section<Item>[], limit: number) {
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const page = await readPage(sections, { limit, cursor });
    pages.push(page.items.map(({ id }) => id));
    cursor = page.nextCursor;
  } while (cursor);
  return pages;
}

describe('a list of several parts', () => {
  test.each([1, 2, 3, 4, 5, 8, 9])('is read in pages of %i, each item once', async (limit) => {
    const pages = await walk([section('a', 3), section('b', 0), section('c', 5)], limit);
    expect(pages.flat()).toEqual([...items('a', 3), ...items('c', 5)].map(({ id }) => id));
    expect(pages.slice(0, -1).every((page) => page.length === limit)).toBe(true);
    expect(pages.at(-1)!.length).toBeGreaterThan(0);
  });

  test('that is empty is one empty page', async () => {
    expect(await walk([section('a', 0)], 5)).toEqual([[]]);
  });

  test('is read no further than requested', async () => {
    const [first, second] = [section('a', 10), section('b', 10)];
    await readPage([first, second], { limit: 5 });
    expect([first.reads, second.reads]).toEqual([1, 0]);
  });

  test.each([
    ['nonsense', 'nonsense'],
    ['of another list', Buffer.from('["x","d00001","a1"]').toString('base64url')],
    ['of one part', Buffer.from('["a"]').toString('base64url')],
    ['of numbers', Buffer.from('["a",1,2]').toString('base64url')],
  ])('refuses a cursor that is %s, by name', async (_what, cursor) => {
    const refusal = await readPage([section('a', 3)], { limit: 1, cursor }).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(Problem);
    expect(refusal).toMatchObject({
      type: 'validation-failed',
      fields: [{ path: 'cursor', type: 'invalid' }],
    });
  });
});
