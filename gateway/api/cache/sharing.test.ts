import { beforeEach, describe, expect, test } from '@jest/globals';
import { openSharing } from './sharing.ts';

interface Caller {
  name: string;
  hasLeft?: boolean;
}
const callers = (...names: string[]): Caller[] => names.map((name) => ({ name }));

let asked: string[];
let answered: string[];
let sharing: ReturnType<typeof openSharing<Caller, string>>;
beforeEach(() => {
  asked = [];
  answered = [];
  sharing = openSharing<Caller, string>({
    ask: ({ name }) => void asked.push(name),
    answer({ name }, answer) {
      if (answer === 'says nothing to b' && name === 'b') return false;
      answered.push(`${name}: ${answer}`);
      return true;
    },
    hasLeft: ({ hasLeft }) => hasLeft === true,
  });
});
const join = (ones: readonly Caller[], key = 'photo') => ones.forEach((one) => sharing.join(key, one));

describe('who asks the same', () => {
  test('is asked for at once while few do, and together with those who wait afterwards', () => {
    const [a, b, c, d, e] = callers('a', 'b', 'c', 'd', 'e') as [Caller, Caller, Caller, Caller, Caller];
    join([a, b, c, d]);
    expect(asked).toEqual(['a', 'b']);
    sharing.told('photo', a, 'same');
    // Begun after all of them have come: what a was told is no answer to c and d.
    expect([asked, answered]).toEqual([['a', 'b', 'c'], []]);
    join([e]);
    sharing.told('photo', c, 'same');
    expect([asked, answered]).toEqual([['a', 'b', 'c', 'e'], ['d: same']]);
  });

  test('is asked for alone when the answer is for another only', () => {
    const [x, y, a, b, c] = callers('x', 'y', 'a', 'b', 'c') as [Caller, Caller, Caller, Caller, Caller];
    join([x, y, a, b, c]);
    sharing.told('photo', x, undefined);
    sharing.told('photo', a, 'says nothing to b');
    expect([asked, answered]).toEqual([['x', 'y', 'a', 'b'], ['c: says nothing to b']]);
  });

  test('is asked for alone when nothing comes of the call for several', () => {
    const [x, y, a, b, c] = callers('x', 'y', 'a', 'b', 'c') as [Caller, Caller, Caller, Caller, Caller];
    join([x, y, a, b, c]);
    sharing.told('photo', x, 'same');
    sharing.told('photo', a, undefined);
    expect([asked, answered]).toEqual([['x', 'y', 'a', 'b', 'c'], []]);
  });

  test('and has left is not asked for, and keeps nobody waiting', () => {
    const [x, y, a, b] = callers('x', 'y', 'a', 'b') as [Caller, Caller, Caller, Caller];
    join([x, y, a, b]);
    a.hasLeft = true;
    sharing.told('photo', x, 'same');
    sharing.told('photo', a, undefined);
    expect(asked).toEqual(['x', 'y', 'b']);
    sharing.told('photo', b, 'same');
    sharing.told('photo', y, 'same');
    join(callers('z'));
    expect(asked).toEqual(['x', 'y', 'b', 'z']);
  });

  test('is not asked for with those who ask something else', () => {
    join(callers('a', 'b', 'c'));
    join(callers('d'), 'another photo');
    expect(asked).toEqual(['a', 'b', 'd']);
  });
});
