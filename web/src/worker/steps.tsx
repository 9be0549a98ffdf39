import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Alert } from '../design/components/Alert.tsx';
import { Button } from '../design/components/Button.tsx';
import { ConfirmDialog } from '../design/components/ConfirmDialog.tsx';
import { TextField } from '../design/components/Field.tsx';
import { tree } from '../design/components/icons.ts';
import styles from './AssignmentCard.module.css';
import { useField } from './field.ts';
import { isHeld, isTakenAway, type StatusBody, type StatusItem, UNDO_MS } from './outbox/item.ts';
import { nextMoment } from './photos/queue-photos.ts';
import { refusalText } from './refusal.ts';
import { mayUndo, useHoldClock } from './saved-step.tsx';
import { type Assignment, stepsOf } from './tasks.ts';

/** A status change that is sent once it can no longer be undone. */
export const stepItem = (workerId: string, assignmentId: string, body: StatusBody): StatusItem => ({
  kind: 'status',
  id: crypto.randomUUID(),
  workerId,
  occasion: { kind: 'assignment', id: assignmentId },
  at: nextMoment(),
  body,
  state: { step: 'waiting' },
  attempts: 0,
  triedAt: 0,
  retryAt: 0,
  heldUntil: Date.now() + UNDO_MS,
});

/** Steps that wait or were refused. */
export function StepState({ assignment }: { assignment: Assignment }) {
  const { items } = useField();
  return stepsOf(assignment, items).map((step) => <OneStep key={step.id} step={step} />);
}

export function OneStep({ step }: { step: StatusItem }) {
  const { t, i18n } = useTranslation('worker');
  const { t: common } = useTranslation();
  const { outbox, items, sending, isOnline } = useField();
  const now = useHoldClock();
  const status = common(`status.${step.body.status}`);
  const remove = () => void outbox.remove(step.id);
  if (step.state.step === 'refused') {
    return (
      <Alert kind="wrong" action={<Button onClick={remove}>{t('step.remove')}</Button>}>
        <strong>{t('assignment.failed')}</strong>
        <p>{refusalText(step.state, i18n.language)}</p>
        {isTakenAway(step.state) && <p>{t('step.reported')}</p>}
      </Alert>
    );
  }
  const held = isHeld(step, now);
  // The notice above the tasks offers to undo it.
  if (held && isOnline) return null;
  if (sending?.id === step.id) return <Alert kind="note">{t('step.sending', { status })}</Alert>;
  if (isOnline && step.attempts > 0) {
    return (
      <Alert kind="wrong" action={<Button onClick={outbox.retryNow}>{common('tryAgain')}</Button>}>
        <strong>{t('assignment.failed')}</strong>
        <p>{t('step.keptText', { status })}</p>
      </Alert>
    );
  }
  return (
    <Alert
      kind="offline"
      action={
        !held && mayUndo(step, items, sending?.id) && <Button onClick={remove}>{t('step.takeBack')}</Button>
      }
    >
      {t('step.waiting', { status })}
    </Alert>
  );
}

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

interface Props {
  assignment: Assignment;
  accent: boolean;
  hasPhoto: boolean;
  onCompleted: () => void;
}

/** The last step, with an optional note. Without a photo it asks first. */
export function CompleteStep({ assignment, accent, hasPhoto, onCompleted }: Props) {
  const { t } = useTranslation('worker');
  const { outbox, workerId } = useField();
  const [notes, setNotes] = useState('');
  const [isSaving, setSaving] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const complete = async () => {
    setAsking(false);
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
        onClick={() => (hasPhoto ? void complete() : setAsking(true))}
      >
        {t('assignment.markCompleted')}
      </Button>
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title={t('withoutPhoto.title')}
        confirm={t('withoutPhoto.confirm')}
        onConfirm={() => void complete()}
      >
        <p>{t('withoutPhoto.text')}</p>
      </ConfirmDialog>
    </div>
  );
}
