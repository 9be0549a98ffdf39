import { QueryClient } from '@tanstack/react-query';
import { ApiProblem } from '../api/problem.ts';

/** A refusal will not change by asking again; a lost connection or a busy server may. */
const worthRetrying = (failures: number, error: unknown): boolean =>
  failures < 2 && !(error instanceof ApiProblem && error.status >= 400 && error.status < 500);

export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: { retry: worthRetrying, staleTime: 30_000 },
      mutations: { retry: false },
    },
  });
