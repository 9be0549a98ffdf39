import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../design/components/Button.tsx';
import { tree } from '../design/components/icons.ts';
import { useField } from './field.ts';
import { NotesField } from './NotesField.tsx';
import { stepItem } from './steps.ts';
import type { Assignment } from './tasks.ts';
import styles from './AssignmentCard.module.css';

interface Props {
  assignment: Assignment;
  accent: boolean;
  onCompleted: () => void;
}

/** The last step, with an optional note. */
export function CompleteStep({ assignment, accent, onCompleted }: Props) {
  const { t } = useTranslation('worker');
  const { outbox, workerId } = useField();
  const [notes, setNotes] = useState('');
  const [isSaving, setSaving] = useState(false);
  const complete = async () => {
    setSaving(true);
    const body = { status: 'completed' as const, ...(notes.trim() && { notes: notes.trim() }) };
    await outbox.add(stepItem(workerId, assignment._id, body));
    onCompleted();
  };
  return (
    <div className={styles.step}>
      <details>
        <summary className={styles.note}>{t('assignment.addNote')}</summary>
        <NotesField value={notes} onChange={setNotes} />
      </details>
      <Button
        wide
        size="large"
        look={accent ? 'accent' : 'secondary'}
        icon={tree}
        working={isSaving && t('assignment.working')}
        onClick={() => void complete()}
      >
        {t('assignment.markCompleted')}
      </Button>
    </div>
  );
}
