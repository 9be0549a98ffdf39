import { acceptsPhotos } from '@arboleda/contracts/order.ts';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Alert } from '../design/components/Alert.tsx';
import { Badge } from '../design/components/Badge.tsx';
import { Button } from '../design/components/Button.tsx';
import { TextField } from '../design/components/Field.tsx';
import { Icon } from '../design/components/Icon.tsx';
import { mapPin, plant, tree, user } from '../design/components/icons.ts';
import { useFormats } from '../i18n/format.ts';
import type { PortalCall } from '../session/session.ts';
import { useProblemText } from '../session/problem-text.ts';
import { type Assignment, useRefreshAssignments, useStatusChange } from './assignments.ts';
import styles from './AssignmentCard.module.css';
import { PhotoUpload } from './PhotoUpload.tsx';

interface Props {
  assignment: Assignment;
  call: PortalCall;
  /** The next thing to do: drawn large, with the one accent action. */
  next?: boolean;
}

export function AssignmentCard({ assignment, call, next = false }: Props) {
  const { t } = useTranslation('worker');
  const { t: common } = useTranslation();
  const formats = useFormats();
  const refresh = useRefreshAssignments();
  const headingId = useId();
  return (
    <article className={`${styles.card} ${next ? styles.next : ''}`} aria-labelledby={headingId}>
      <p className={styles.top}>
        <Badge of={assignment.status}>{common(`status.${assignment.status}`)}</Badge>
        <span className="quiet">
          {t('assignment.since', { day: formats.fieldDay(assignment.assignedAt) })}
        </span>
      </p>
      <h3 id={headingId} className={styles.heading}>
        {t('assignment.plant', { count: assignment.trees })}
      </h3>
      <p className={styles.fact}>
        <Icon of={mapPin} /> <strong>{assignment.location}</strong>
      </p>
      <p className={styles.fact}>
        <Icon of={user} /> <span className={styles.email}>{assignment.customerEmail}</span>
      </p>
      <NextStep assignment={assignment} call={call} accent={next} />
      {acceptsPhotos(assignment.status) && <PhotoUpload assignment={assignment} onSent={refresh} />}
    </article>
  );
}

/** The one step forward, with room for a note. */
function NextStep({
  assignment,
  call,
  accent,
}: {
  assignment: Assignment;
  call: PortalCall;
  accent: boolean;
}) {
  const { t } = useTranslation('worker');
  const problemText = useProblemText();
  const [notes, setNotes] = useState('');
  const change = useStatusChange(call, assignment);
  if (assignment.status === 'completed' || assignment.status === 'pending') return null;
  const status = assignment.status === 'assigned' ? 'planted' : 'completed';
  return (
    <div className={styles.step}>
      {change.isError && (
        <Alert kind="wrong">
          {problemText(change.error, { failed: t('assignment.failed'), network: t('assignment.network') })}
        </Alert>
      )}
      <details>
        <summary className={styles.summary}>{t('assignment.addNote')}</summary>
        <TextField
          label={t('assignment.notes')}
          rows={3}
          maxLength={2000}
          value={notes}
          onChange={(event) => setNotes(event.target.value)}
        />
      </details>
      <Button
        wide
        size="large"
        look={accent ? 'accent' : 'secondary'}
        icon={status === 'planted' ? plant : tree}
        working={change.isPending && t('assignment.working')}
        onClick={() => change.mutate({ status, ...(notes.trim() && { notes: notes.trim() }) })}
      >
        {status === 'planted' ? t('assignment.markPlanted') : t('assignment.markCompleted')}
      </Button>
    </div>
  );
}
