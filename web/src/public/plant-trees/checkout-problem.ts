import { problemTitle, PROBLEMS, type ProblemType } from '@arboleda/contracts/problems.ts';
import type { ApiProblem } from '../../api/problem.ts';
import type { Language } from '../../i18n/languages.ts';

/** What the error box says: the sentence, and what it means for the buyer when that is not plain. */
export interface CheckoutProblem {
  text: string;
  hint?: string | undefined;
}

interface Words {
  /** The product spec's sentence for this step. */
  failed: string;
  /** When no answer came. */
  offline: string;
  /** When to ask again. */
  later: (seconds: number) => string;
  /** What is wrong with fields that have no input here. */
  unmarked: (problem: ApiProblem) => string | undefined;
}

/** A refusal in its own words, anything else in those of the step. */
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
