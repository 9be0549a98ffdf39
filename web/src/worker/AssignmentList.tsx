import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import noWork from '../art/sp-nursery.svg';
import { Alert } from '../design/components/Alert.tsx';
import { EmptyState } from '../design/components/EmptyState.tsx';
import type { PortalCall } from '../session/session.ts';
import { AssignmentCard } from './AssignmentCard.tsx';
import { arrange, type Assignment, type Step } from './assignments.ts';
import type { PhotoQueue } from './photo-queue.ts';
import styles from './WorkerPortal.module.css';

interface Props {
  assignments: readonly Assignment[];
  call: PortalCall;
  queue: PhotoQueue;
}

interface Move {
  id: string;
  status: Step;
}

/** What to do now, then the rest, then what is done. What was just moved stays on top until it is completed. */
export function AssignmentList({ assignments, call, queue }: Props) {
  const { t } = useTranslation('worker');
  const [move, setMove] = useState<Move>();
  const { now, later, done } = arrange(assignments, move?.id);
  const card = (assignment: Assignment, isNow = false) => (
    <AssignmentCard
      key={assignment._id}
      assignment={assignment}
      call={call}
      queue={queue}
      now={isNow}
      onMoved={({ _id }, status) => setMove({ id: _id, status })}
    />
  );
  return (
    <>
      <Saved move={move} />
      {now ? (
        <section aria-labelledby="now" className={styles.section}>
          <h2 id="now" className="sub-title">
            {t('now')}
          </h2>
          {card(now, true)}
        </section>
      ) : (
        <EmptyState drawing={noWork} title={t('empty.title')}>
          {t('empty.text')}
        </EmptyState>
      )}
      {later.length > 0 && (
        <section aria-labelledby="assignments" className={styles.section}>
          <h2 id="assignments" className="sub-title">
            {t('assignments')}
          </h2>
          {later.map((assignment) => card(assignment))}
        </section>
      )}
      {done.length > 0 && (
        <section aria-labelledby="done" className={styles.section}>
          <h2 id="done" className="sub-title">
            {t('done')}
          </h2>
          {done.map((assignment) => card(assignment))}
        </section>
      )}
    </>
  );
}

/** Says that a step was kept and what comes next; the focus goes here, since the pressed button is gone. */
function Saved({ move }: { move: Move | undefined }) {
  const { t } = useTranslation('worker');
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (move) place.current?.focus();
  }, [move]);
  return (
    <div ref={place} tabIndex={-1} className={styles.saved}>
      {move && (
        <Alert kind="good">
          {t(move.status === 'planted' ? 'assignment.nowPlanted' : 'assignment.nowCompleted')}
        </Alert>
      )}
    </div>
  );
}
