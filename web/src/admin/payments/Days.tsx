import { useTranslation } from 'react-i18next';
import { Field } from '../../design/components/Field.tsx';

/** The first and the last day of a list. */
export function Days({
  from,
  to,
  onChange,
}: {
  from: string;
  to: string;
  onChange: (change: { from?: string; to?: string }) => void;
}) {
  const { t } = useTranslation('panels');
  return (
    <>
      <Field
        label={t('payments.from')}
        type="date"
        value={from}
        max={to || undefined}
        onChange={(event) => onChange({ from: event.target.value })}
      />
      <Field
        label={t('payments.to')}
        type="date"
        value={to}
        min={from || undefined}
        onChange={(event) => onChange({ to: event.target.value })}
      />
    </>
  );
}
