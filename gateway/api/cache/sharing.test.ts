import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { openSharing } from './sharing.ts';

const HANGS_AFTER_MS = 20;

interface Caller {
  name: string;
  hasLeft?: boolean;
}
const callers = (...names: string[]): Caller[] => names.map((name) => ({ name }));

let asked: string[];
let answered: string[];
let sharing: ReturnType<typeof openSharing<Caller, string>>;
beforeEach(() => {
  jest.useFakeTimers();
  asked = [];
  answered = [];
  sharing = openSharing<Caller, string>({
    hangsAfterMs: HANGS_AFTER_MS,
    ask: ({ name }) => void asked.push(name),
    answer({ name }, answer) {
      if (answer === 'says nothing to b' && name === 'b') return false;
      answered.push(`${name}: ${answer}`);
      return true;
    },
    hasLeft: ({ hasLeft }) => hasLeft === true,
  });
});
afterEach(() => void jest.useRealTimers());
const join = (ones: readonly Caller[], key = 'photo') => ones.forEach((one) => sharing.join(key, one));

describe('who asks the same', () => {
  test('is asked for at once when nobody is, and else told what another is told', () => {
    const [a, b, c, d] = callers('a', 'b', 'c', 'd') as [Caller, Caller, Caller, Caller];
    join([a, b, c]);
    expect([asked, answered]).toEqual([['a'], []]);
    sharing.told('photo', a, 'same');
    expect([asked, answered]).toEqual([['a'], ['b: same', 'c: same']]);
    join([d]);
    expect(asked).toEqual(['a', 'd']);
  });

  test('is asked for alone when the answer says nothing to them', () => {
    const [a, b, c] = callers('a', 'b', 'c') as [Caller, Caller, Caller];
    join([a, b, c]);
    sharing.told('photo', a, 'says nothing to b');
    expect([asked, answered]).toEqual([['a', 'b'], ['c: says nothing to b']]);
  });

  test('is asked for alone when nothing comes of the call, or nothing for others', () => {
    const [a, b, c] = callers('a', 'b', 'c') as [Caller, Caller, Caller];
    join([a, b, c]);
    sharing.told('photo', a, undefined);
    expect([asked, answered]).toEqual([['a', 'b', 'c'], []]);
    for (const one of [b, c]) sharing.told('photo', one, 'same');
    expect(answered).toEqual([]);
  });

  test('and has left is not asked for', () => {
    const [a, b, c] = callers('a', 'b', 'c') as [Caller, Caller, Caller];
    join([a, b, c]);
    b.hasLeft = true;
    sharing.told('photo', a, undefined);
    expect(asked).toEqual(['a', 'c']);
  });

  test('is asked for one after the other while those who are asked for hang', () => {
    const [a, b, c, d] = callers('a', 'b', 'c', 'd') as [Caller, Caller, Caller, Caller];
    join([a, b, c, d]);
    b.hasLeft = true;
    jest.advanceTimersByTime(HANGS_AFTER_MS - 1);
    expect(asked).toEqual(['a']);
    jest.advanceTimersByTime(1);
    expect(asked).toEqual(['a', 'c']);
    sharing.told('photo', c, 'same');
    expect([asked, answered]).toEqual([['a', 'c'], ['d: same']]);
    join(callers('e', 'f'));
    jest.advanceTimersByTime(HANGS_AFTER_MS);
    sharing.told('photo', a, 'same, late');
    expect([asked, answered]).toEqual([
      ['a', 'c', 'e'],
      ['d: same', 'f: same, late'],
    ]);
    jest.advanceTimersByTime(HANGS_AFTER_MS);
    expect(asked).toHaveLength(3);
  });

  test('is not asked for with those who ask something else', () => {
    join(callers('a', 'b', 'c'));
    join(callers('d'), 'another photo');
    expect(asked).toEqual(['a', 'd']);
  });
});
