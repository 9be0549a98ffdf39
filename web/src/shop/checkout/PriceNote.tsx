import { useTranslation } from 'react-i18next';
import type { PackagePrices } from '../../api/package-prices.ts';
import { useFormats } from '../../i18n/format.ts';
import { noteOf } from './live-prices.ts';
import styles from './PlantTreesPage.module.css';

/** Placeholders for fill-prices.ts, which i18next leaves untouched. */
const MARKS = {
  currency: '{{currency}}',
  wanted: '{{wanted}}',
  rate: '{{rate}}',
  time: '{{time}}',
};

export function PriceNote({ prices }: { prices: PackagePrices | undefined }) {
  const { t } = useTranslation('checkout');
  const formats = useFormats();
  return (
    <p
      className={`small quiet ${styles.note}`}
      data-live="note"
      aria-live="polite"
      data-local={t('note.local', MARKS)}
      data-outdated={t('note.outdated', MARKS)}
      data-base={t('note.base', MARKS)}
      data-unkept={t('note.unkept', MARKS)}
      suppressHydrationWarning
    >
      {words()}
    </p>
  );

  function words(): string {
    if (!prices) return t('note.loading');
    const { sentence, values } = noteOf(prices, formats);
    return t(`note.${sentence}`, values);
  }
}
