import { useTranslation } from 'react-i18next';
import type { ApiProblem } from '../../api/problem.ts';
import { asLanguage } from '../../i18n/languages.ts';
import { fieldSentence } from '../../session/problem-text.ts';

export function useFieldTexts(): (problem: ApiProblem | undefined, path: string) => string | undefined {
  const { i18n } = useTranslation();
  return (problem, path) => {
    const field = problem?.fields.find((one) => one.path === path);
    return field && fieldSentence(field, asLanguage(i18n.language) ?? 'en');
  };
}
