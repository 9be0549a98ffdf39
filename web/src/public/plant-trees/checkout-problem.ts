import { problemTitle, PROBLEMS, type ProblemType } from '@arboleda/contracts/problems.ts';
import type { ApiProblem } from '../../api/problem.ts';
import type { Language } from '../../i18n/languages.ts';

/** Content of the error box: a sentence, and its consequence for the buyer when unclear. */
export interface CheckoutProblem {
  text: string;
  hint?: string | undefined;
}

interface Words {
  /** Sentence of the product spec for this step. */
  failed: string;
  /** Sentence when no answer came. */
  offline: string;
  /** Sentence with the time to wait. */
  later: (seconds: number) => string;
  /** Problems of fields without an input here. */
  unmarked: (problem: ApiProblem) => string | undefined;
}

/** Text of a known refusal, or the step's own text. */
export function problemOf(
  problem: ApiProblem | undefined,
  words: Words,
  language: Language,
): CheckoutProblem {
  if (!problem || problem.type === 'unknown') return { text: words.failed };
  if (problem.status === 0) return { text: words.failed, hint: words.offline };
  const { type, retryAfterSeconds } = problem;
  return {
    text:
      words.unmarked(problem) ??
      (type in PROBLEMS ? problemTitle(type as ProblemType, language) : problem.message),
    hint: retryAfterSeconds === undefined ? undefined : words.later(retryAfterSeconds),
  };
}
