import { expect, test } from '@jest/globals';
import { textsIn } from './collector.ts';

/** A field of bytes. */
const field = (number: number, bytes: Uint8Array | string): Buffer => {
  const value = Buffer.from(bytes as string);
  return Buffer.concat([Buffer.from([number * 8 + 2, value.length]), value]);
};

test('texts are read from messages within messages', () => {
  const attribute = Buffer.concat([field(1, 'user'), field(2, field(1, 'ana@mail.test'))]);
  const texts = textsIn(field(2, Buffer.concat([field(5, 'GET /'), field(9, attribute)]))).join('\n');
  for (const text of ['GET /', 'user', 'ana@mail.test']) expect(texts).toContain(text);
});

test('random ids are no texts, even when a part of them looks like an address', () => {
  const id = Buffer.concat([Buffer.from([0x9c, 0xff, 0x00]), Buffer.from('a@6.kR'), Buffer.from([0x01])]);
  expect(textsIn(Buffer.concat([field(1, id), field(5, 'GET /')]))).toEqual(['GET /']);
});
