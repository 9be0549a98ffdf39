import { useTranslation } from 'react-i18next';
import type { ApiProblem } from '../../api/problem.ts';
import { asLanguage } from '../../i18n/languages.ts';
import { unmarkedFields } from '../../session/problem-text.ts';
import { problemOf, type CheckoutProblem } from './checkout-problem.ts';

/** Fields with their own error; pictures of the transfer mark themselves. */
export const MARKED_FIELDS = [
  'customerEmail',
  'customerName',
  'customerPhone',
  'referenceNumber',
  'evidenceFiles.0',
  'evidenceFiles.1',
  'evidenceFiles.2',
] as const;

/** Explains a failed checkout call, by default with the product spec's sentence. */
export function useProblemWords(): (problem: ApiProblem | undefined, failed: string) => CheckoutProblem {
  const { t, i18n } = useTranslation('checkout');
  const { t: common } = useTranslation();
  const language = asLanguage(i18n.language) ?? 'en';
  return (problem, failed) =>
    problemOf(
      problem,
      {
        failed,
        offline: t('errors.offline'),
        later: (count) => t('errors.later', { count }),
        unmarked: (refused) => unmarkedFields(refused, { marked: MARKED_FIELDS, language, t: common }),
      },
      language,
    );
}
