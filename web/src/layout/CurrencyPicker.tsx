import { CURRENCIES, type Currency } from '@arboleda/contracts/countries.ts';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { chooseCurrency } from '../api/currency.ts';
import { useChosenCurrency } from '../api/use-currency.ts';
import { useFormats } from '../i18n/format.ts';
import styles from './CurrencyPicker.module.css';

/** Prices follow the visitor's country until they choose. @param locked while a payment is in progress */
export function CurrencyPicker({ locked = false }: { locked?: boolean }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const chosen = useChosenCurrency();
  const id = useId();
  return (
    <span className={styles.picker}>
      <label htmlFor={id}>{t('currency.label')}</label>
      <select
        id={id}
        className={styles.select}
        value={chosen ?? ''}
        disabled={locked}
        onChange={({ target }) => chooseCurrency((target.value || undefined) as Currency | undefined)}
      >
        <option value="">{t('currency.local')}</option>
        {CURRENCIES.map((currency) => (
          <option key={currency} value={currency}>
            {`${currency}, ${formats.currencyName(currency)}`}
          </option>
        ))}
      </select>
    </span>
  );
}
