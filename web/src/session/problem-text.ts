import { PROBLEMS, problemTitle, type ProblemType } from '@arboleda/contracts/problems.ts';
import { useTranslation } from 'react-i18next';
import { ApiProblem } from '../api/problem.ts';
import { asLanguage, type Language } from '../i18n/languages.ts';

const isKnown = (type: string): type is ProblemType => type in PROBLEMS;

/** A refusal's sentence in the language of the page, which may have changed since the answer came. */
export const sentenceOf = (problem: ApiProblem, language: Language): string =>
  isKnown(problem.type) ? problemTitle(problem.type, language) : problem.message;

/**
 * What to tell a person about a failed call: the refusal's own sentence, the spec's sentence for a lost connection,
 * or the given words when there is nothing better.
 */
export function useProblemText(): (error: unknown, texts: { failed: string; network: string }) => string {
  const { i18n } = useTranslation();
  return (error, texts) => {
    if (!(error instanceof ApiProblem)) return texts.failed;
    if (error.type === 'network') return texts.network;
    return error.type === 'unknown' ? texts.failed : sentenceOf(error, asLanguage(i18n.language) ?? 'en');
  };
}
