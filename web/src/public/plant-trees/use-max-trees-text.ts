import { MAX_TREES } from '@arboleda/contracts/packages.ts';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../i18n/format.ts';

/** What somebody reads who wants more trees than can be bought here. */
export function useMaxTreesText(): string {
  const { t } = useTranslation('checkout');
  const formats = useFormats();
  return t('atMost', { max: formats.number(MAX_TREES) });
}
