import { useTranslation } from 'react-i18next';
import { TextField } from '../design/components/Field.tsx';

/** Limit of the contract. */
const MAX_NOTE_LENGTH = 2000;

export function NotesField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const { t } = useTranslation('worker');
  return (
    <TextField
      label={t('assignment.notes')}
      rows={3}
      maxLength={MAX_NOTE_LENGTH}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
