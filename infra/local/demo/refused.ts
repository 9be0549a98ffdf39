import { Refused } from '@arboleda/contracts/client.ts';
import type { ProblemType } from '@arboleda/contracts/problems.ts';

/** Whether the product said no for one of these reasons. */
export const isRefusedAs = (error: unknown, ...types: ProblemType[]): boolean =>
  error instanceof Refused && types.some((type) => type === error.problem?.type);
