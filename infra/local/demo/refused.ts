import { Refused } from '@arboleda/contracts/client.ts';
import type { ProblemType } from '@arboleda/contracts/problems.ts';

/** Whether the API rejected a call with one of these problems. */
export const isRefusedAs = (error: unknown, ...types: ProblemType[]): boolean =>
  error instanceof Refused && types.some((type) => type === error.problem?.type);
