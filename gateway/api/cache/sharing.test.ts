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
  test('is asked for at once when nobody is, and together with those who wait afterwards', () => {
    const [a, b, c, d] = callers('a', 'b', 'c', 'd') as [Caller, Caller, Caller, Caller];
    join([a, b, c]);
    expect(asked).toEqual(['a']);
    sharing.told('photo', a, 'same');
    // Begun after all of them have come: what a was told is no answer to b and c.
    expect([asked, answered]).toEqual([['a', 'b'], []]);
    join([d]);
    sharing.told('photo', b, 'same');
    expect([asked, answered]).toEqual([['a', 'b', 'd'], ['c: same']]);
  });

  test('is asked for alone when the answer is for another only', () => {
    const [x, a, b, c] = callers('x', 'a', 'b', 'c') as [Caller, Caller, Caller, Caller];
    join([x, a, b, c]);
    sharing.told('photo', x, undefined);
    sharing.told('photo', a, 'says nothing to b');
    expect([asked, answered]).toEqual([['x', 'a', 'b'], ['c: says nothing to b']]);
  });

  test('is asked for alone when nothing comes of the call for several', () => {
    const [x, a, b, c] = callers('x', 'a', 'b', 'c') as [Caller, Caller, Caller, Caller];
    join([x, a, b, c]);
    sharing.told('photo', x, 'same');
    sharing.told('photo', a, undefined);
    expect([asked, answered]).toEqual([['x', 'a', 'b', 'c'], []]);
  });

  test('and has left is not asked for, and keeps nobody waiting', () => {
    const [x, a, b] = callers('x', 'a', 'b') as [Caller, Caller, Caller];
    join([x, a, b]);
    a.hasLeft = true;
    sharing.told('photo', x, 'same');
    expect(asked).toEqual(['x', 'b']);
    b.hasLeft = true;
    sharing.told('photo', b, undefined);
    join(callers('z'));
    expect(asked).toEqual(['x', 'b', 'z']);
  });

  test('is asked for with those who wait as well when the one who is asked for hangs', () => {
    const [x, a, b, c] = callers('x', 'a', 'b', 'c') as [Caller, Caller, Caller, Caller];
    join([x, a]);
    jest.advanceTimersByTime(HANGS_AFTER_MS - 1);
    join([b]);
    expect(asked).toEqual(['x']);
    jest.advanceTimersByTime(1);
    expect(asked).toEqual(['x', 'a']);
    join([c]);
    sharing.told('photo', a, 'same');
    expect([asked, answered]).toEqual([['x', 'a', 'c'], ['b: same']]);
    jest.advanceTimersByTime(HANGS_AFTER_MS);
    expect(asked).toEqual(['x', 'a', 'c']);
  });

  test('is not asked for with those who ask something else', () => {
    join(callers('a', 'b', 'c'));
    join(callers('d'), 'another photo');
    expect(asked).toEqual(['a', 'd']);
  });
});
