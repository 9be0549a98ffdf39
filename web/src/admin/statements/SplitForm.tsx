import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../design/components/Button.tsx';
import { Field } from '../../design/components/Field.tsx';
import { useFormats } from '../../i18n/format.ts';
import { asLanguage } from '../../i18n/languages.ts';
import { readAmount } from '../../i18n/typed-numbers.ts';
import shared from '../shared/shared.module.css';
import { DecideForm, type DecideFormProps } from './DecideForm.tsx';
import styles from './Statements.module.css';

const MAX_PARTS = 20;

/** Parts a row that pays several orders. */
export function SplitForm({ rows, decision, onDecide, onClose }: DecideFormProps) {
  const { t, i18n } = useTranslation('statements');
  const formats = useFormats();
  const row = rows[0]!;
  const [parts, setParts] = useState(['', '']);
  const [isAsked, setAsked] = useState(false);
  const money = (amount: number) => formats.money(amount, row.currency);
  const amounts = parts.map((typed) => {
    const read = readAmount(typed, row.currency, asLanguage(i18n.language) ?? 'en');
    return typeof read === 'number' && read > 0 ? read : undefined;
  });
  const left = row.amount - amounts.reduce<number>((sum, amount) => sum + (amount ?? 0), 0);
  const isRight = left === 0 && amounts.every((amount) => amount !== undefined);
  return (
    <DecideForm
      decision={decision}
      onClose={onClose}
      submit={t('split.submit', { count: parts.length })}
      onSubmit={() => {
        setAsked(true);
        if (isRight)
          onDecide({ kind: 'split', body: { rowId: row.rowId, amounts: amounts.map((amount) => amount!) } });
      }}
    >
      <p>{t('split.text')}</p>
      {parts.map((typed, at) => (
        <div key={at} className={styles.part}>
          <Field
            label={t('split.part', { number: formats.number(at + 1), currency: row.currency })}
            inputMode="decimal"
            autoComplete="off"
            maxLength={40}
            value={typed}
            error={isAsked && amounts[at] === undefined && t('split.noAmount')}
            onChange={(event) =>
              setParts(parts.map((part, other) => (other === at ? event.target.value : part)))
            }
          />
          {parts.length > 2 && (
            <Button
              aria-label={t('split.removeOne', { number: formats.number(at + 1) })}
              onClick={() => setParts(parts.filter((_part, other) => other !== at))}
            >
              {t('split.remove')}
            </Button>
          )}
        </div>
      ))}
      <p role="status" className={isAsked && left !== 0 ? shared.brick : 'quiet'}>
        {left === 0
          ? t('split.right')
          : left > 0
            ? t('split.left', { amount: money(left) })
            : t('split.over', { amount: money(-left) })}
      </p>
      {parts.length < MAX_PARTS && (
        <div>
          <Button size="small" onClick={() => setParts([...parts, ''])}>
            {t('split.add')}
          </Button>
        </div>
      )}
    </DecideForm>
  );
}
