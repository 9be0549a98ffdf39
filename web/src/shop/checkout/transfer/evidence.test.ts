import { expect, test } from '@jest/globals';
import { pictureFile, PICTURES } from '../../../test/pictures.ts';
import { type Picture, refusalBeside, refusalOf, sharesOf } from './evidence.ts';

const chosen = (file: File, at: number): Picture => ({ id: String(at), file, preview: '' });

test.each(['jpg', 'png', 'gif'] as const)('accepts a %s', async (kind) => {
  expect(await refusalOf(pictureFile(`receipt.${kind}`, PICTURES[kind]))).toBeUndefined();
});

test.each([
  ['receipt.pdf', 'application/pdf', '%PDF-1.7'],
  ['photo.heic', 'image/heic', '\0\0\0\x18ftypheic'],
  ['drawing.svg', 'image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
  ['renamed.jpg', 'image/jpeg', 'just some words'],
  ['empty.png', 'image/png', ''],
])('%s is no accepted picture, whatever its declared type', async (name, type, content) => {
  expect(await refusalOf(new File([content], name, { type }))).toBe('evidence-not-an-image');
});

test('accepts a picture of 5 MB and refuses one byte more', async () => {
  const room = 5_000_000 - PICTURES.jpg.length;
  expect(await refusalOf(pictureFile('a.jpg', PICTURES.jpg, room))).toBeUndefined();
  expect(await refusalOf(pictureFile('a.jpg', PICTURES.jpg, room + 1))).toBe('evidence-too-large');
});

test('accepts three pictures, no fourth, and no duplicate', () => {
  const files = ['a', 'b', 'c', 'd'].map((name) => pictureFile(`${name}.jpg`, PICTURES.jpg));
  const three = files.slice(0, 3).map(chosen);
  expect(refusalBeside(files[2]!, three.slice(0, 2))).toBeUndefined();
  expect(refusalBeside(files[3]!, three)).toBe('one-too-many');
  expect(refusalBeside(files[0]!, three.slice(0, 1))).toBe('chosen-twice');
});

test('computes each file’s progress from the progress of the form', () => {
  expect(sharesOf([100, 300], 0)).toEqual([0, 0]);
  expect(sharesOf([100, 300], 0.5)).toEqual([1, 1 / 3]);
  expect(sharesOf([100, 300], 1)).toEqual([1, 1]);
});
