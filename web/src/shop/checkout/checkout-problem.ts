import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { PackagePrices } from '../../api/package-prices.ts';
import { useChosenCurrency } from '../../api/use-currency.ts';
import { PACKAGE_PRICES_KEY, shownPricesKey } from '../../api/packages.ts';
import type { ApiProblem } from '../../api/problem.ts';
import { useFormats } from '../../i18n/format.ts';
import { GIFT_PATHS } from '../../order/gift/gift-form.ts';
import { asLanguage, type Language } from '../../i18n/languages.ts';
import { sentenceOf, unmarkedFields } from '../../session/problem-text.ts';
import { type Selection, totalOf } from './selection.ts';

/** Content of the error box: a sentence, and its consequence for the buyer when unclear. */
export interface CheckoutProblem {
  text: string;
  hint?: string | undefined;
  /** The card was refused, so another way to pay may help. */
  isDeclined?: true;
}

interface Words {
  failed: string;
  offline: string;
  /** Sentence with the time to wait. */
  later: (seconds: number) => string;
  /** Problems of fields without an input here. */
  unmarked: (problem: ApiProblem) => string | undefined;
}

/** Text of a known refusal, or the step's own text. */
function problemOf(problem: ApiProblem | undefined, words: Words, language: Language): CheckoutProblem {
  if (!problem || problem.type === 'unknown') return { text: words.failed };
  if (problem.status === 0) return { text: words.failed, hint: words.offline };
  const { retryAfterSeconds } = problem;
  return {
    text: words.unmarked(problem) ?? sentenceOf(problem, language),
    hint: retryAfterSeconds === undefined ? undefined : words.later(retryAfterSeconds),
  };
}

/** Fields with their own error; pictures of the transfer mark themselves. */
const MARKED_FIELDS = [
  'customerEmail',
  'customerName',
  'customerPhone',
  'referenceNumber',
  'evidenceFiles.0',
  'evidenceFiles.1',
  'evidenceFiles.2',
  ...GIFT_PATHS,
];

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

/** Reloads the prices and returns the selection's new total in its payment currency. */
export function useNewTotal(selection: Selection): (currency?: 'COP') => Promise<string> {
  const queryClient = useQueryClient();
  const formats = useFormats();
  const chosen = useChosenCurrency();
  return async (currency) => {
    await queryClient.refetchQueries({ queryKey: PACKAGE_PRICES_KEY });
    const found = [[...PACKAGE_PRICES_KEY, 'COP'], shownPricesKey(chosen)].map((key) =>
      queryClient.getQueryData<PackagePrices>(key),
    );
    const prices = currency ? found.find((one) => one?.currency === currency) : found[1];
    if (!prices) return '…';
    const { amountMinor, currency: paidIn } = totalOf(selection, prices);
    return formats.money(amountMinor, paidIn);
  };
}
