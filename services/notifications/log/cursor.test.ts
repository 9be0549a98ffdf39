import { Problem } from '@arboleda/contracts/problems.ts';
import { expect, test } from '@jest/globals';
import { decodeCursor, encodeCursor } from './cursor.ts';

test('a cursor says where the page ended, to the microsecond', () => {
  const at = ['2026-11-22T01:02:03.456789Z', 'mail_-1'] as [string, string];
  expect(decodeCursor(encodeCursor(at))).toEqual(at);
});

const wrong = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
test.each([
  '',
  '***',
  wrong('text'),
  wrong(['2026-11-22T01:02:03.456789Z']),
  wrong(['2026-13-45T01:02:03.456789Z', 'mail-1']),
  wrong(['2026-11-22T01:02:03.456789Z', "'; drop table mails"]),
])('%j is no cursor of ours', (cursor) => {
  const refusal = () => decodeCursor(cursor);
  expect(refusal).toThrow(Problem);
  expect(refusal).toThrow(
    expect.objectContaining({ type: 'validation-failed', fields: [{ path: 'cursor', type: 'invalid' }] }),
  );
});
