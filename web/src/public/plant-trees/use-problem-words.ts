import { useTranslation } from 'react-i18next';
import type { ApiProblem } from '../../api/problem.ts';
import { asLanguage } from '../../i18n/languages.ts';
import { problemOf, type CheckoutProblem } from './checkout-problem.ts';

/** Tells why a call of the checkout failed, with the product spec's sentence where there is nothing better. */
export function useProblemWords(): (problem: ApiProblem | undefined, failed: string) => CheckoutProblem {
  const { t, i18n } = useTranslation('checkout');
  return (problem, failed) =>
    problemOf(
      problem,
      {
        failed,
        offline: t('errors.offline'),
        later: (count) => t('errors.later', { count }),
      },
      asLanguage(i18n.language) ?? 'en',
    );
}
