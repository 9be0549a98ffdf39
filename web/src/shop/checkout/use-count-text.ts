import { MAX_TREES } from '@arboleda/contracts/packages.ts';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../i18n/format.ts';
import { countProblem, type Selection, type Total } from './selection.ts';

/** Why the typed count cannot be bought, by card where that is the method; undefined when it can. */
export function useCountText(
  selection: Selection,
  total: Total | undefined,
  isCard: boolean,
): string | undefined {
  const { t } = useTranslation('checkout');
  const formats = useFormats();
  const problem = countProblem(selection);
  if (problem === 'not-whole') return t('notWhole');
  if (problem === 'at-least-one') return t('atLeastOne');
  if (problem === 'at-most') return t('atMost', { max: formats.number(MAX_TREES) });
  if (!isCard || !total?.cardLimit) return undefined;
  return t('cardLimit', {
    count: total.cardLimit.trees,
    trees: formats.number(total.cardLimit.trees),
    amount: formats.money(total.cardLimit.amountMinor, total.currency),
  });
}
