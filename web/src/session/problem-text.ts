import { FIELD_PROBLEMS, fieldProblemTitle, PROBLEMS } from '@arboleda/contracts/problems.ts';
import type { TFunction } from 'i18next';
import { createContext, useContext } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiProblem, type ProblemField } from '../api/problem.ts';
import { asLanguage, type Language } from '../i18n/languages.ts';

type Sentences = Readonly<Record<string, Record<Language, string>>>;

/** Refusals whose sentences this part of the app has loaded. Of all others it shows the answer's. */
export const KnownProblems = createContext<Sentences>(PROBLEMS);

const isKnownOfField = (
  type: string | undefined,
): type is keyof typeof FIELD_PROBLEMS | keyof typeof PROBLEMS =>
  type !== undefined && (type in FIELD_PROBLEMS || type in PROBLEMS);

export const fieldSentence = ({ type, message }: ProblemField, language: Language): string =>
  isKnownOfField(type) ? fieldProblemTitle(type, language) : message;

/**
 * Problems of fields without an input: "Number of trees: This number is too big."
 * @param marked paths of fields with their own error, including nested ones
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

/** Labels "coordinates.latitude" by its last name; unlabeled fields keep the API's name. */
function fieldLabel(path: string, t: TFunction<'common'>): string {
  const name = path.split('.').findLast((part) => !/^\d+$/.test(part)) ?? path;
  return t(`fields.${name}` as 'fields.trees', { defaultValue: path });
}

/** Text of a refusal in the page's current language, not the language of the answer. */
export const sentenceOf = (
  { type, message }: ApiProblem,
  language: Language,
  known: Sentences = PROBLEMS,
): string => known[type]?.[language] ?? message;

const MINUTE_SECONDS = 60;

/** Waiting time in seconds or minutes. */
export function waitOf(seconds: number): { unit: 'seconds' | 'minutes'; count: number } {
  return seconds <= MINUTE_SECONDS
    ? { unit: 'seconds', count: seconds }
    : { unit: 'minutes', count: Math.ceil(seconds / MINUTE_SECONDS) };
}

/**
 * Text for a failed call: the refusal with its waiting time, the spec's sentence for a lost connection, or the given
 * fallback.
 */
export function useProblemText(): (
  error: unknown,
  texts: {
    failed: string;
    network: string;
    /** Fields of the call that show their own errors. */
    marked?: readonly string[];
  },
) => string {
  const { t, i18n } = useTranslation();
  const known = useContext(KnownProblems);
  return (error, texts) => {
    if (!(error instanceof ApiProblem)) return texts.failed;
    if (error.type === 'network') return texts.network;
    if (error.type === 'unknown') return texts.failed;
    const language = asLanguage(i18n.language) ?? 'en';
    const { marked } = texts;
    const sentence = unmarkedFields(error, { marked, language, t }) ?? sentenceOf(error, language, known);
    if (!error.retryAfterSeconds) return sentence;
    const { unit, count } = waitOf(error.retryAfterSeconds);
    return `${sentence} ${t(`tryAgainIn.${unit}`, { count })}`;
  };
}
