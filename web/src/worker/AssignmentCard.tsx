import { acceptsPhotos } from '@arboleda/contracts/order.ts';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../design/components/Badge.tsx';
import { Icon } from '../design/components/Icon.tsx';
import { mapPin, user } from '../design/components/icons.ts';
import { useFormats } from '../i18n/format.ts';
import type { PortalCall } from '../session/session.ts';
import type { Assignment, Step } from './assignments.ts';
import styles from './AssignmentCard.module.css';
import { NextStep } from './NextStep.tsx';
import type { PhotoQueue } from './photo-queue.ts';
import { PhotoUpload } from './PhotoUpload.tsx';

interface Props {
  assignment: Assignment;
  call: PortalCall;
  queue: PhotoQueue;
  /** What to do now: drawn large, with the one accent action. */
  now: boolean;
  onMoved: (assignment: Assignment, status: Step) => void;
}

export function AssignmentCard({ assignment, call, queue, now, onMoved }: Props) {
  const { t } = useTranslation('worker');
  const { t: common } = useTranslation();
  const headingId = useId();
  const { status, trees, photos } = assignment;
  // Photos come before the end: without one, taking it is the thing to do.
  const photoFirst = status === 'planted' && photos.length === 0;
  return (
    <article className={`${styles.card} ${now ? styles.now : ''}`} aria-labelledby={headingId}>
      <div className={styles.top}>
        <Badge of={status}>{common(`status.${status}`)}</Badge>
        <Since assignment={assignment} />
      </div>
      <h3 id={headingId} className={styles.heading}>
        {status === 'assigned' ? t('assignment.plant', { count: trees }) : common('trees', { count: trees })}
      </h3>
      <p className={styles.fact}>
        <Icon of={mapPin} /> <strong>{assignment.location}</strong>
      </p>
      <p className={styles.fact}>
        <Icon of={user} /> <span className={styles.email}>{assignment.customerEmail}</span>
      </p>
      {photoFirst && <p>{t('assignment.photosNext')}</p>}
      {acceptsPhotos(status) && (
        <PhotoUpload assignment={assignment} queue={queue} accent={now && photoFirst} />
      )}
      <NextStep assignment={assignment} call={call} accent={now && !photoFirst} onMoved={onMoved} />
    </article>
  );
}

/** Since when it is what it is. */
function Since({ assignment }: { assignment: Assignment }) {
  const { t } = useTranslation('worker');
  const formats = useFormats();
  const { status, assignedAt, plantedAt, completedAt } = assignment;
  const words =
    status === 'completed' && completedAt
      ? t('assignment.completedOn', { day: formats.fieldDay(completedAt) })
      : status === 'planted' && plantedAt
        ? t('assignment.plantedOn', { day: formats.fieldDay(plantedAt) })
        : t('assignment.since', { day: formats.fieldDay(assignedAt) });
  return <p className="quiet">{words}</p>;
}
