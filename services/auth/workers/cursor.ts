import { fieldProblem } from '@arboleda/contracts/problems.ts';

/** Cursor of a page of workers: the last code. Opaque to callers. */
export const encodeCursor = (code: string): string => Buffer.from(code).toString('base64url');

/** @throws Problem `validation-failed` on `cursor` */
export function decodeCursor(cursor: string): string {
  const code = Buffer.from(cursor, 'base64url').toString();
  // eslint-disable-next-line no-control-regex -- what cannot be stored cannot be asked for either
  if (code === '' || /[\u0000-\u001f\ufffd]/.test(code) || encodeCursor(code) !== cursor) {
    throw fieldProblem('cursor', 'invalid');
  }
  return code;
}
