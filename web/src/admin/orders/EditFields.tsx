import type { UseFormReturn } from 'react-hook-form';
import type { KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../design/components/Button.tsx';
import { Field, SelectField, TextField } from '../../design/components/Field.tsx';
import { useFormats } from '../../i18n/format.ts';
import { asLanguage } from '../../i18n/languages.ts';
import { readAmount, readPair } from '../../i18n/typed-numbers.ts';
import {
  DEGREES_STEP,
  degreesOf,
  EDIT_CURRENCIES,
  type EditField,
  type EditValues,
  treesOf,
} from './edit.ts';
import type { EditFault } from './edit-schema.ts';
import styles from './EditForm.module.css';

interface Props {
  form: UseFormReturn<EditValues>;
  /** Offered even when it is not a usual currency. */
  ownCurrency: string;
}

export function EditFields({ form, ownCurrency }: Props) {
  const { t, i18n } = useTranslation('admin');
  const formats = useFormats();
  const { errors } = form.formState;
  const { currency, trees, amount, latitude, longitude } = form.watch();
  const minor = readAmount(amount, currency, asLanguage(i18n.language) ?? 'en');
  const count = treesOf(trees);
  const readTrees =
    count > 0 && trees.trim() !== String(count) && t('edit.understood', { value: formats.number(count) });
  const props = (field: EditField, deps: EditField[] = []) => ({
    ...form.register(field, { deps }),
    error: faultText(errors[field]?.message),
  });
  const faultText = (message: string | undefined) =>
    message && t(`edit.faults.${message}`, { defaultValue: message });
  const setPlace = (pair: Pick<EditValues, 'latitude' | 'longitude'>) => {
    form.setValue('latitude', pair.latitude, { shouldDirty: true });
    form.setValue('longitude', pair.longitude, { shouldDirty: true });
    // Validate both halves together; one half alone would be checked against the old other half.
    void form.trigger(['latitude', 'longitude']);
  };
  const swap = () => {
    setPlace({ latitude: longitude, longitude: latitude });
    form.setFocus('latitude');
  };
  /** The arrow keys change a coordinate by the step of product spec section 5. */
  const step = (event: KeyboardEvent, field: 'latitude' | 'longitude') => {
    const direction = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    const degrees = degreesOf({ latitude, longitude }[field]);
    if (direction === undefined || degrees === undefined) return;
    event.preventDefault();
    const value = (degrees + direction * DEGREES_STEP).toFixed(6);
    form.setValue(field, value, { shouldDirty: true, shouldValidate: true });
  };
  const half = (field: 'latitude' | 'longitude') => {
    const typed = { latitude, longitude }[field];
    const degrees = degreesOf(typed)?.toFixed(6);
    const other = field === 'latitude' ? 'longitude' : 'latitude';
    // A problem of one half may be fixed in the other.
    const { onChange, ...rest } = props(field, errors[other] && [other]);
    return (
      <Field
        label={t(`edit.${field}`)}
        // Numeric keyboards lack the minus sign.
        inputMode="text"
        autoComplete="off"
        hint={degrees !== undefined && typed.trim() !== degrees && t('edit.understood', { value: degrees })}
        {...rest}
        onKeyDown={(event) => step(event, field)}
        onChange={(event) => {
          const pair = readPair(event.target.value);
          if (!pair) return onChange(event);
          setPlace(pair);
        }}
      />
    );
  };
  const currencies = [...new Set<string>([...EDIT_CURRENCIES, ownCurrency])];
  return (
    <>
      <div className={styles.row}>
        <Field
          label={t('edit.trees')}
          inputMode="numeric"
          autoComplete="off"
          hint={readTrees}
          {...props('trees')}
        />
        <Field
          label={t('edit.amount')}
          inputMode="decimal"
          autoComplete="off"
          hint={typeof minor === 'number' && t('edit.understood', { value: formats.money(minor, currency) })}
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
        {half('latitude')}
        {half('longitude')}
      </div>
      {errors.latitude?.message === ('swapped' satisfies EditFault) && (
        <Button onClick={swap}>{t('edit.swap')}</Button>
      )}
      <TextField label={t('edit.notes')} maxLength={5000} hint={t('edit.notesHint')} {...props('notes')} />
    </>
  );
}
