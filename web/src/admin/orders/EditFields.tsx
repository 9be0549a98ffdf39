import type { UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { currencyDecimals } from '@arboleda/contracts/money.ts';
import { Field, SelectField, TextField } from '../../design/components/Field.tsx';
import { useFormats } from '../../i18n/format.ts';
import { EDIT_CURRENCIES, type EditField, type EditValues } from './edit.ts';
import styles from './EditForm.module.css';

interface Props {
  form: UseFormReturn<EditValues>;
  /** Stays a choice where it is none of the usual ones. */
  ownCurrency: string;
}

export function EditFields({ form, ownCurrency }: Props) {
  const { t } = useTranslation('admin');
  const formats = useFormats();
  const { errors } = form.formState;
  const currency = form.watch('currency');
  const props = (field: EditField) => ({
    ...form.register(field),
    error: faultText(errors[field]?.message),
  });
  const faultText = (message: string | undefined) =>
    message && t(`edit.faults.${message}`, { defaultValue: message });
  const currencies = [...new Set<string>([...EDIT_CURRENCIES, ownCurrency])];
  return (
    <>
      <div className={styles.row}>
        <Field
          label={t('edit.trees')}
          type="number"
          inputMode="numeric"
          min={1}
          step={1}
          {...props('trees')}
        />
        <Field
          label={t('edit.amount')}
          type="number"
          inputMode="decimal"
          min={0}
          step={currencyDecimals(currency) === 0 ? 1 : 0.01}
          {...props('amount')}
        />
        <SelectField label={t('edit.currency')} {...props('currency')}>
          {currencies.map((code) => (
            <option key={code} value={code}>
              {code} · {formats.currencyName(code)}
            </option>
          ))}
        </SelectField>
      </div>
      <div className={styles.row}>
        <Field label={t('edit.customerName')} maxLength={120} autoComplete="off" {...props('customerName')} />
        <Field
          label={t('edit.customerEmail')}
          type="email"
          maxLength={254}
          autoComplete="off"
          {...props('customerEmail')}
        />
      </div>
      <Field label={t('edit.location')} maxLength={500} {...props('location')} />
      <div className={styles.row}>
        <Field
          label={t('edit.latitude')}
          type="number"
          inputMode="decimal"
          step={0.000001}
          min={-90}
          max={90}
          {...props('latitude')}
        />
        <Field
          label={t('edit.longitude')}
          type="number"
          inputMode="decimal"
          step={0.000001}
          min={-180}
          max={180}
          {...props('longitude')}
        />
      </div>
      <TextField label={t('edit.notes')} maxLength={5000} hint={t('edit.notesHint')} {...props('notes')} />
    </>
  );
}
