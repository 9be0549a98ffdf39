import { useTranslation } from 'react-i18next';
import { useFormats } from '../../i18n/format.ts';
import type { Found } from './orders.ts';

/** Localized count: "1,284", "1,000+". */
export function useShown(): (found: Found) => string {
  const { t } = useTranslation('admin');
  const formats = useFormats();
  return ({ count, isLeast }) => {
    const shown = formats.number(count);
    return isLeast ? t('orders.atLeast', { shown }) : shown;
  };
}
