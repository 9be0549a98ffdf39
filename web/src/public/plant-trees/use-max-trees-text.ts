import { MAX_TREES } from '@arboleda/contracts/packages.ts';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../i18n/format.ts';

/** Text for orders above the maximum number of trees. */
export function useMaxTreesText(): string {
  const { t } = useTranslation('checkout');
  const formats = useFormats();
  return t('atMost', { max: formats.number(MAX_TREES) });
}
