import { fieldProblem } from '@arboleda/contracts/problems.ts';

/** Where a page of workers ended: the last one's code. Opaque to callers. */
export const encodeCursor = (code: string): string => Buffer.from(code).toString('base64url');

/** @throws Problem `validation-failed` on `cursor` when it is none of ours. */
export function decodeCursor(cursor: string): string {
  const code = Buffer.from(cursor, 'base64url').toString();
  // eslint-disable-next-line no-control-regex -- what cannot be stored cannot be asked for either
  if (code === '' || /[\u0000-\u001f\ufffd]/.test(code) || encodeCursor(code) !== cursor) {
    throw fieldProblem('cursor', 'invalid');
  }
  return code;
}
