import { expect, test } from '@jest/globals';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { batched } from './batch.ts';

/** Questions that are answered when a test says so, with what is true when they are begun. */
function openAsked(state: Record<string, string> = { a: 'A', b: 'B', c: 'C' }) {
  const asked: { keys: readonly string[]; answer: () => void; fail: (error: Error) => void }[] = [];
  const look = batched<string>((keys) => {
    const found = Promise.withResolvers<ReadonlyMap<string, string>>();
    const seen = new Map(keys.flatMap((key) => (key in state ? [[key, state[key]!] as const] : [])));
    asked.push({ keys, answer: () => found.resolve(seen), fail: found.reject });
    return found.promise;
  }, 2);
  const question = async (index: number) => {
    await waitFor(() => asked.length > index);
    return asked[index]!;
  };
  return { asked, look, question, state };
}

test('what is asked at the same time is one question, and each gets their own', async () => {
  const { asked, look, question } = openAsked();
  const found = Promise.all([look('a'), look('nothing'), look('a')]);
  (await question(0)).answer();
  expect(await found).toEqual(['A', undefined, 'A']);
  expect(asked.map(({ keys }) => keys)).toEqual([['a', 'nothing']]);
});

test('who asks while a question is under way is told what is true from then on', async () => {
  const { look, question, state } = openAsked();
  const before = look('a');
  const first = await question(0);
  state.a = 'hidden';
  const after = [look('a'), look('b')];
  first.answer();
  (await question(1)).answer();
  expect(await before).toBe('A');
  expect(await Promise.all(after)).toEqual(['hidden', 'B']);
});

test('a question that hangs holds up nobody else, and behind two what is asked waits for one question', async () => {
  const { asked, look, question, state } = openAsked();
  const hanging = look('a');
  await question(0);
  const quick = look('b');
  const second = await question(1);
  const waiting = [look('a'), look('c'), look('a')];
  state.a = 'hidden';
  expect(asked).toHaveLength(2);
  second.answer();
  expect(await quick).toBe('B');
  (await question(2)).answer();
  expect(await Promise.all(waiting)).toEqual(['hidden', 'C', 'hidden']);
  expect(asked.map(({ keys }) => keys)).toEqual([['a'], ['b'], ['a', 'c']]);
  (await question(0)).answer();
  expect(await hanging).toBe('A');
});

test('a question does not grow without end', async () => {
  const { asked, look, question } = openAsked();
  const found = Promise.all(['a', 'b', 'c', 'b'].map((key) => look(key)));
  (await question(0)).answer();
  (await question(1)).answer();
  expect(await found).toEqual(['A', 'B', 'C', 'B']);
  expect(asked.map(({ keys }) => keys)).toEqual([
    ['a', 'b'],
    ['c', 'b'],
  ]);
});

test('a question that failed is one for all who asked it, and no other', async () => {
  const { look, question } = openAsked();
  const failed = [look('a'), look('b')];
  const first = await question(0);
  const other = look('a');
  first.fail(new Error('the database is away'));
  for (const one of failed) await expect(one).rejects.toThrow('away');
  (await question(1)).answer();
  expect(await other).toBe('A');
});
