import { minorPerMajor } from '@arboleda/contracts/money.ts';
import { BASE_CURRENCY } from '@arboleda/contracts/packages.ts';
import { useTranslation } from 'react-i18next';
import type { PackagePrices } from '../../api/packages.ts';
import { useFormats } from '../../i18n/format.ts';

/** Which money the prices are in, at what rate, and how long they hold. */
export function PriceNote({ prices }: { prices: PackagePrices | undefined }) {
  const { t } = useTranslation('checkout');
  const formats = useFormats();
  return <p className="small quiet">{words()}</p>;

  function words(): string {
    if (!prices) return t('note.loading');
    const currency = formats.currencyName(prices.currency);
    if (!prices.expiresAt) return t('note.unkept', { currency });
    const time = formats.time(prices.expiresAt);
    if (prices.currency === BASE_CURRENCY) return t('note.base', { currency, time });
    const rateMinor = Math.round(prices.exchangeRate * minorPerMajor(prices.currency));
    return t('note.local', { currency, rate: formats.money(rateMinor, prices.currency), time });
  }
}
