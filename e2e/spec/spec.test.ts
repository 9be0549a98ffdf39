import { expect, test } from '@jest/globals';
import { missingTests, REQUIREMENTS, testNames } from './page.ts';

test('every requirement of the specification has a test', () => {
  expect(REQUIREMENTS.filter(({ shownBy }) => shownBy.length === 0)).toEqual([]);
  const said = REQUIREMENTS.map(({ says }) => says);
  expect(said.filter((says, index) => said.indexOf(says) !== index)).toEqual([]);
});

test('every test that is named is there', async () => {
  expect(await missingTests(REQUIREMENTS)).toEqual([]);
});

test('tests are known by their names, also those of a table', () => {
  const code = `test('one', () => {}); it("it’s \\"two\\"", f); test.each([1])('three %i', f); test.each([\n  ['a'],\n])('four', f);`;
  expect(testNames(code)).toEqual(new Set(['one', 'it’s "two"', 'three %i', 'four']));
});
