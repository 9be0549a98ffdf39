import { problemError, problemKind, problemTitle } from '@arboleda/contracts/problem-kinds.ts';
import { Problem, type ProblemBody, type ProblemType } from '@arboleda/contracts/problems.ts';
import type { Language } from '@arboleda/contracts/roles.ts';
import { isConnectionError } from '../connect-retry.ts';

export const statusOf = ({ type }: Problem): number => problemKind(type).status;

/** The problem+json body, in the reader's language. */
export function problemBody(problem: Problem, language: Language, correlationId: string): ProblemBody {
  const title = problemTitle(problem.type, language);
  const error = problemError(problem.type, language);
  const errors = problem.fields.map(({ path, type }) => ({
    path,
    type,
    message: problemTitle(type, language),
  }));
  return {
    type: problem.type,
    title,
    status: statusOf(problem),
    ...(errors.length > 0 && { errors }),
    ...(problem.lastDay !== undefined && { lastDay: problem.lastDay }),
    correlationId,
    error,
    message: error,
  };
}

/** Converts any error to a Problem without internal details. Errors of the body parsers keep their meaning. */
export function toProblem(thrown: unknown): Problem {
  if (thrown instanceof Problem) return thrown;
  const { type, status } = (thrown ?? {}) as { type?: string; status?: number };
  const read = READER_FAULTS[type ?? ''];
  if (read) return new Problem(read, { cause: thrown });
  if (thrown instanceof URIError) return new Problem('not-found', { cause: thrown });
  if (status !== undefined && status >= 400 && status < 500) {
    return new Problem('malformed-request', { cause: thrown });
  }
  if (isConnectionError(thrown)) return new Problem('unavailable', { cause: thrown, retryAfterSeconds: 5 });
  return new Problem('internal', { cause: thrown });
}

/** https://expressjs.com/en/resources/middleware/body-parser.html#errors */
const READER_FAULTS: Record<string, ProblemType> = {
  'entity.parse.failed': 'malformed-json',
  'entity.too.large': 'body-too-large',
  'charset.unsupported': 'unsupported-media-type',
  'encoding.unsupported': 'unsupported-media-type',
};
