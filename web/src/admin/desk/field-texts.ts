import { fieldProblemTitle, FIELD_PROBLEMS, PROBLEMS } from '@arboleda/contracts/problems.ts';
import { useTranslation } from 'react-i18next';
import type { ApiProblem } from '../../api/problem.ts';
import { asLanguage } from '../../i18n/languages.ts';

const isKnown = (type: string): type is keyof typeof FIELD_PROBLEMS | keyof typeof PROBLEMS =>
  type in FIELD_PROBLEMS || type in PROBLEMS;

/** What a refusal says of one field, in the language of the page. */
export function useFieldTexts(): (problem: ApiProblem | undefined, path: string) => string | undefined {
  const { i18n } = useTranslation();
  return (problem, path) => {
    const field = problem?.fields.find((one) => one.path === path);
    if (!field) return undefined;
    const type = 'type' in field ? String(field.type) : '';
    return isKnown(type) ? fieldProblemTitle(type, asLanguage(i18n.language) ?? 'en') : field.message;
  };
}
