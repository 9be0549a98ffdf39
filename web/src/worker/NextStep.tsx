import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Alert } from '../design/components/Alert.tsx';
import { Button } from '../design/components/Button.tsx';
import { TextField } from '../design/components/Field.tsx';
import { plant, tree } from '../design/components/icons.ts';
import type { PortalCall } from '../session/session.ts';
import { useProblemText } from '../session/problem-text.ts';
import { type Assignment, nextStep, type Step, useStatusChange } from './assignments.ts';
import styles from './AssignmentCard.module.css';

/** What contracts allow a note to be long. */
const MAX_NOTE_LENGTH = 2000;

interface Props {
  assignment: Assignment;
  call: PortalCall;
  accent: boolean;
  onMoved: (assignment: Assignment, status: Step) => void;
}

/** The one step forward, with room for a note. */
export function NextStep({ assignment, call, accent, onMoved }: Props) {
  const { t } = useTranslation('worker');
  const problemText = useProblemText();
  const [notes, setNotes] = useState('');
  const change = useStatusChange(call, assignment, (moved, status) => {
    setNotes('');
    onMoved(moved, status);
  });
  const step = nextStep(assignment);
  if (!step) return null;
  return (
    <div className={styles.step}>
      {/* A new step starts with its note closed. */}
      <details key={step}>
        <summary className={styles.summary}>{t('assignment.addNote')}</summary>
        <TextField
          label={t('assignment.notes')}
          rows={3}
          maxLength={MAX_NOTE_LENGTH}
          value={notes}
          onChange={(event) => setNotes(event.target.value)}
        />
      </details>
      {change.isError && (
        <Alert kind="wrong">
          {problemText(change.error, { failed: t('assignment.failed'), network: t('assignment.network') })}
        </Alert>
      )}
      <Button
        wide
        size="large"
        look={accent ? 'accent' : 'secondary'}
        icon={step === 'planted' ? plant : tree}
        working={change.isPending && t('assignment.working')}
        onClick={() => change.mutate({ status: step, ...(notes.trim() && { notes: notes.trim() }) })}
      >
        {step === 'planted' ? t('assignment.markPlanted') : t('assignment.markCompleted')}
      </Button>
    </div>
  );
}
