import {
  FIELD_PROBLEMS,
  fieldProblemTitle,
  PROBLEMS,
  problemTitle,
  type ProblemType,
} from '@arboleda/contracts/problems.ts';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { ApiProblem, type ProblemField } from '../api/problem.ts';
import { asLanguage, type Language } from '../i18n/languages.ts';

const isKnown = (type: string): type is ProblemType => type in PROBLEMS;

const isKnownOfField = (type: string | undefined): type is keyof typeof FIELD_PROBLEMS | ProblemType =>
  type !== undefined && (type in FIELD_PROBLEMS || type in PROBLEMS);

/** Why a field was refused, in the language of the page. */
export const fieldSentence = ({ type, message }: ProblemField, language: Language): string =>
  isKnownOfField(type) ? fieldProblemTitle(type, language) : message;

/**
 * What is wrong with fields that have no input on the page: "Number of trees: This number is too big."
 * @param marked the paths of fields that show their problem themselves; those below them count as marked
 */
export function unmarkedFields(
  problem: ApiProblem,
  { marked = [], language, t }: { marked?: readonly string[]; language: Language; t: TFunction<'common'> },
): string | undefined {
  const isMarked = (path: string) => marked.some((one) => path === one || path.startsWith(`${one}.`));
  const sentences = problem.fields
    .filter(({ path }) => !isMarked(path))
    .map((field) => `${fieldLabel(field.path, t)}: ${fieldSentence(field, language)}`);
  return sentences.length > 0 ? sentences.join(' ') : undefined;
}

/** "coordinates.latitude" is labelled by its last name; what has no label keeps the name of the API. */
function fieldLabel(path: string, t: TFunction<'common'>): string {
  const name = path.split('.').findLast((part) => !/^\d+$/.test(part)) ?? path;
  return t(`fields.${name}` as 'fields.trees', { defaultValue: path });
}

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
export function useProblemText(): (
  error: unknown,
  texts: {
    failed: string;
    network: string;
    /** Fields of the call that show what is wrong with them beside their input. */
    marked?: readonly string[];
  },
) => string {
  const { t, i18n } = useTranslation();
  return (error, texts) => {
    if (!(error instanceof ApiProblem)) return texts.failed;
    if (error.type === 'network') return texts.network;
    if (error.type === 'unknown') return texts.failed;
    const language = asLanguage(i18n.language) ?? 'en';
    const { marked } = texts;
    const sentence = unmarkedFields(error, { marked, language, t }) ?? sentenceOf(error, language);
    if (!error.retryAfterSeconds) return sentence;
    const { unit, count } = waitOf(error.retryAfterSeconds);
    return `${sentence} ${t(`tryAgainIn.${unit}`, { count })}`;
  };
}
