import { expect, test } from '@jest/globals';
import { wrap } from './typesetter.ts';

const upTo = (length: number) => (line: string) => line.length <= length;

test.each([
  ['one two three', 7, ['one two', 'three']],
  ['one', 7, ['one']],
  ['', 7, ['']],
  ['one\ntwo', 20, ['one two']],
  ['abcdefghij', 4, ['abcd', 'efgh', 'ij']],
  ['to abcdefghij end', 4, ['to', 'abcd', 'efgh', 'ij', 'end']],
  ['𝄞𝄞𝄞', 2, ['𝄞', '𝄞', '𝄞']],
])('"%s" in lines of %d is %j', (text, length, lines) => {
  expect(wrap(text, upTo(length))).toEqual(lines);
});

test('no amount of patience is lost on a line that nothing fits in', () => {
  expect(wrap('abc', () => false)).toEqual(['a', 'b', 'c']);
});
