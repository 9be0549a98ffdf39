import { PROBLEMS, problemTitle, type ProblemType } from '@arboleda/contracts/problems.ts';
import { useTranslation } from 'react-i18next';
import { ApiProblem } from '../api/problem.ts';
import { asLanguage, type Language } from '../i18n/languages.ts';

const isKnown = (type: string): type is ProblemType => type in PROBLEMS;

/** A refusal's sentence in the language of the page, which may have changed since the answer came. */
export const sentenceOf = (problem: ApiProblem, language: Language): string =>
  isKnown(problem.type) ? problemTitle(problem.type, language) : problem.message;

const MINUTE_SECONDS = 60;

/** When it is worth trying again, in a unit that a person would use. */
export function waitOf(seconds: number): { unit: 'seconds' | 'minutes'; count: number } {
  return seconds <= MINUTE_SECONDS
    ? { unit: 'seconds', count: seconds }
    : { unit: 'minutes', count: Math.ceil(seconds / MINUTE_SECONDS) };
}

/**
 * What to tell a person about a failed call: the refusal's own sentence with the time to wait, the spec's sentence
 * for a lost connection, or the given words when there is nothing better.
 */
export function useProblemText(): (error: unknown, texts: { failed: string; network: string }) => string {
  const { t, i18n } = useTranslation();
  return (error, texts) => {
    if (!(error instanceof ApiProblem)) return texts.failed;
    if (error.type === 'network') return texts.network;
    if (error.type === 'unknown') return texts.failed;
    const sentence = sentenceOf(error, asLanguage(i18n.language) ?? 'en');
    if (!error.retryAfterSeconds) return sentence;
    const { unit, count } = waitOf(error.retryAfterSeconds);
    return `${sentence} ${t(`tryAgainIn.${unit}`, { count })}`;
  };
}
