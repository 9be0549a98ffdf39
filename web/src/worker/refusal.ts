import { ApiProblem } from '../api/problem.ts';
import { asLanguage } from '../i18n/languages.ts';
import { sentenceOf } from '../session/problem-text.ts';
import type { ItemState } from './outbox/item.ts';

/** Reason of a refusal in the page's current language. */
export function refusalText(
  { type, message }: Extract<ItemState, { step: 'refused' }>,
  language: string,
): string {
  const problem = new ApiProblem({ type, status: 0, title: message });
  return sentenceOf(problem, asLanguage(language) ?? 'en');
}
