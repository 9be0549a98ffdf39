import { describe, expect, test } from '@jest/globals';
import { backendMessages, frontendMessages } from './messages.ts';

describe('messages', () => {
  const message = (type: string, body: string): Buffer => {
    const bytes = Buffer.from(body);
    const length = Buffer.alloc(4);
    length.writeInt32BE(bytes.length + 4);
    return Buffer.concat([Buffer.from(type), length, bytes]);
  };

  test('reports each statement by its text, however the bytes arrive', () => {
    const ran: string[] = [];
    const take = frontendMessages((text) => ran.push(text));
    const session = Buffer.concat([
      message('', 'user\0'),
      message('Q', 'begin\0'),
      message('P', 'named\0select $1\0\0\0'),
      message('B', '\0named\0'),
      message('E', '\0\0\0\0\0'),
      message('S', ''),
      message('B', '\0named\0'),
      message('E', '\0\0\0\0\0'),
    ]);
    for (const byte of session) take(Buffer.from([byte]));
    expect(ran).toEqual(['begin', 'select $1', 'select $1']);
  });

  test('PostgreSQL has answered when it is ready for the next question', () => {
    let answers = 0;
    const take = backendMessages(() => answers++);
    take(
      Buffer.concat([message('D', 'a row'), message('Z', 'I'), message('C', 'done\0'), message('Z', 'I')]),
    );
    expect(answers).toBe(2);
  });
});
