import { expect, test } from '@jest/globals';
import { PICTURES, pictureFile } from '../../../testing/pictures.ts';
import { refusalBeside, refusalOf, sharesOf, type Picture } from './evidence-files.ts';

const chosen = (file: File, at: number): Picture => ({ id: String(at), file, preview: '' });

test.each(['jpg', 'png', 'gif'] as const)('a %s is taken', async (kind) => {
  expect(await refusalOf(pictureFile(`receipt.${kind}`, PICTURES[kind]))).toBeUndefined();
});

test.each([
  ['receipt.pdf', 'application/pdf', '%PDF-1.7'],
  ['photo.heic', 'image/heic', '\0\0\0\x18ftypheic'],
  ['drawing.svg', 'image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
  ['renamed.jpg', 'image/jpeg', 'just some words'],
  ['empty.png', 'image/png', ''],
])('%s is no picture of these kinds, whatever it says of itself', async (name, type, content) => {
  expect(await refusalOf(new File([content], name, { type }))).toBe('evidence-not-an-image');
});

test('a picture of 5 MB is taken, one of a byte more is too large', async () => {
  const room = 5_000_000 - PICTURES.jpg.length;
  expect(await refusalOf(pictureFile('a.jpg', PICTURES.jpg, room))).toBeUndefined();
  expect(await refusalOf(pictureFile('a.jpg', PICTURES.jpg, room + 1))).toBe('evidence-too-large');
});

test('three fit, a fourth does not, and the same one does not fit twice', () => {
  const files = ['a', 'b', 'c', 'd'].map((name) => pictureFile(`${name}.jpg`, PICTURES.jpg));
  const three = files.slice(0, 3).map(chosen);
  expect(refusalBeside(files[2]!, three.slice(0, 2))).toBeUndefined();
  expect(refusalBeside(files[3]!, three)).toBe('one-too-many');
  expect(refusalBeside(files[0]!, three.slice(0, 1))).toBe('chosen-twice');
});

test('what has gone of a form is what has gone of its files, one after the other', () => {
  expect(sharesOf([100, 300], 0)).toEqual([0, 0]);
  expect(sharesOf([100, 300], 0.5)).toEqual([1, 1 / 3]);
  expect(sharesOf([100, 300], 1)).toEqual([1, 1]);
});
