import { COLUMN_ROLES, type ColumnRole, type DayOrder } from '@arboleda/contracts/statement.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Alert } from '../../design/components/Alert.tsx';
import { Button } from '../../design/components/Button.tsx';
import { Field, FieldError, SelectField } from '../../design/components/Field.tsx';
import { useFormats } from '../../i18n/format.ts';
import type { PortalCall } from '../../session/session.ts';
import { useOnce } from '../shared/files.tsx';
import shared from '../shared/shared.module.css';
import { Doubts } from './Doubts.tsx';
import styles from './Statements.module.css';
import { asksOf, columnsOf, type Draft, useLayout, useRefusal } from './statements.ts';

const YEAR = /^(?:199\d|20\d\d)$/;

/** Which column is which, what comes in and goes out, and how days are read. */
export function LayoutForm({
  call,
  draft,
  isChanging,
  onRead,
}: {
  call: PortalCall;
  draft: Draft;
  isChanging: boolean;
  onRead: (draft: Draft) => void;
}) {
  const { t } = useTranslation('statements');
  const formats = useFormats();
  const { refusal } = useRefusal();
  const layout = useLayout(call, draft.statementId);
  const send = useOnce(layout);
  const asks = asksOf(draft);
  const columns = columnsOf(draft);
  const asksColumns = columns.length > 0 && (isChanging || asks.includes('columns'));
  const asksDays = asks.includes('day-order');
  const asksYear = asks.includes('year');
  const values = isChanging || asks.includes('direction') ? (draft.directions ?? []) : [];
  const [roles, setRoles] = useState<Record<number, ColumnRole | ''>>(() =>
    Object.fromEntries(columns.map(({ column, role }) => [column, role ?? ''])),
  );
  const [directions, setDirections] = useState<Record<string, boolean | undefined>>(() =>
    Object.fromEntries(values.map(({ value, isCredit }) => [value, isCredit])),
  );
  const [dayOrder, setDayOrder] = useState<DayOrder | ''>('');
  const [year, setYear] = useState('');
  const [isAsked, setAsked] = useState(false);
  const given = Object.values(roles);
  const isIncomplete =
    asksColumns && !(given.includes('day') && given.some((role) => role === 'amount' || role === 'credit'));
  // With another column the values are others, which are asked afterwards.
  const asksValues = values.length > 0 && (!asksColumns || given.includes('direction'));
  const isOpen =
    isIncomplete ||
    (asksDays && dayOrder === '') ||
    (asksYear && !YEAR.test(year.trim())) ||
    (asksValues && values.some(({ value }) => directions[value] === undefined));
  const submit = () => {
    setAsked(true);
    if (isOpen) return;
    const chosen = Object.entries(roles).flatMap(([column, role]) =>
      role === '' ? [] : [{ column: Number(column), role }],
    );
    send(
      {
        ...(asksColumns && { columns: chosen }),
        ...(asksValues && {
          directions: values.map(({ value }) => ({ value, isCredit: directions[value]! })),
        }),
        ...(asksDays && dayOrder !== '' && { dayOrder }),
        ...(asksYear && { year: Number(year) }),
      },
      { onSuccess: onRead },
    );
  };
  return (
    <form
      className={shared.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {asksColumns && (
        <fieldset className={styles.fields}>
          <legend>{t('layout.columns')}</legend>
          <Doubts draft={draft} />
          <p className="small quiet">{t('layout.kept')}</p>
          <div className={shared.pair}>
            {columns.map(({ column, title, samples }) => (
              <SelectField
                key={column}
                label={title || t('layout.column', { number: formats.number(column + 1) })}
                hint={samples.length > 0 && t('layout.examples', { samples: samples.join(' · ') })}
                value={roles[column] ?? ''}
                onChange={(event) => setRoles({ ...roles, [column]: event.target.value as ColumnRole | '' })}
              >
                <option value="">{t('layout.nothing')}</option>
                {COLUMN_ROLES.map((role) => (
                  <option key={role} value={role}>
                    {t(`layout.roles.${role}`)}
                  </option>
                ))}
              </SelectField>
            ))}
          </div>
          <FieldError>{isAsked && isIncomplete && t('layout.incomplete')}</FieldError>
        </fieldset>
      )}
      {asksValues && (
        <fieldset className={styles.fields}>
          <legend>{t('layout.directions')}</legend>
          <div className={shared.pair}>
            {values.map(({ value }) => (
              <SelectField
                key={value}
                label={value}
                error={isAsked && directions[value] === undefined && t('layout.directionMissing')}
                value={directions[value] === undefined ? '' : directions[value] ? 'in' : 'out'}
                onChange={({ target }) =>
                  setDirections({
                    ...directions,
                    [value]: target.value === '' ? undefined : target.value === 'in',
                  })
                }
              >
                <option value="">{t('layout.choose')}</option>
                <option value="in">{t('layout.roles.credit')}</option>
                <option value="out">{t('layout.roles.debit')}</option>
              </SelectField>
            ))}
          </div>
        </fieldset>
      )}
      {asksDays && (
        <SelectField
          label={t('layout.dayOrder')}
          hint={t('layout.dayOrderHint')}
          error={isAsked && dayOrder === '' && t('layout.dayOrderMissing')}
          value={dayOrder}
          onChange={(event) => setDayOrder(event.target.value as DayOrder | '')}
        >
          <option value="">{t('layout.choose')}</option>
          <option value="dmy">{formats.calendarDay('2026-04-03')}</option>
          <option value="mdy">{formats.calendarDay('2026-03-04')}</option>
        </SelectField>
      )}
      {asksYear && (
        <Field
          label={t('layout.year')}
          hint={t('layout.yearHint')}
          error={isAsked && !YEAR.test(year.trim()) && t('layout.yearMissing', { year: thisYear() })}
          inputMode="numeric"
          autoComplete="off"
          maxLength={4}
          value={year}
          onChange={(event) => setYear(event.target.value)}
        />
      )}
      {layout.isError && <Alert kind="wrong">{refusal(layout.error)}</Alert>}
      <div>
        <Button type="submit" working={layout.isPending && t('import.reading')}>
          {t('layout.read')}
        </Button>
      </div>
    </form>
  );
}

const thisYear = (): string => String(new Date().getFullYear());
