import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import noWork from '../art/sp-nursery.svg';
import { Button } from '../design/components/Button.tsx';
import { EmptyState } from '../design/components/EmptyState.tsx';
import { AssignmentCard } from './AssignmentCard.tsx';
import { useField } from './field.ts';
import { Orphans } from './Orphans.tsx';
import { type Move, Saved, useSettlingSteps } from './saved-step.tsx';
import { arrange, type Assignment, idOf, type Task, type Visit } from './tasks.ts';
import { ScheduledVisit, VisitCard } from './VisitCard.tsx';
import styles from './WorkerPortal.module.css';

interface Props {
  assignments: readonly Assignment[];
  visits: readonly Visit[];
  tiles: ReactNode;
  /** Time of the last update in ms, which decides what is due. */
  asOf: number;
  /** Kept on this phone, so that no news and no reload replaces the task the worker is on. */
  currentId: string | undefined;
}

/** Current task, other open tasks, completed tasks. The current task stays until it is done or handed back. */
export function TaskList({ assignments, visits, tiles, asOf, currentId }: Props) {
  const { t } = useTranslation('worker');
  const { outbox } = useField();
  const [move, setMove] = useState<Move>();
  const undoable = new Set(useSettlingSteps().map(({ occasion }) => occasion.id));
  const { now, later, scheduled, done } = arrange(assignments, visits, {
    id: currentId,
    now: asOf,
    undoable,
  });
  const nowId = now && idOf(now);
  useEffect(() => {
    if (nowId) outbox.stayOn(nowId);
  }, [outbox, nowId]);
  const card = (task: Task, isNow = false) =>
    task.kind === 'assignment' ? (
      <AssignmentCard
        key={idOf(task)}
        assignment={task.assignment}
        now={isNow}
        onMoved={({ _id }, status) => {
          if (status === 'planted') outbox.stayOn(_id);
          setMove({ id: _id, status });
        }}
      />
    ) : (
      <VisitCard key={idOf(task)} visit={task.visit} now={isNow} />
    );
  return (
    <>
      {tiles}
      <Saved move={move} onUndone={() => move && setMove({ ...move, isUndone: true })} />
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
      <Orphans assignments={assignments} visits={visits} />
      <Section id="assignments" title={t('assignments')} rows={later.map((task) => card(task))} />
      <Section
        id="scheduled"
        shown={3}
        title={t('visit.scheduled')}
        rows={scheduled.map((visit) => (
          <ScheduledVisit key={visit._id} visit={visit} />
        ))}
      />
      <Section id="done" title={t('done')} rows={done.map((task) => card(task))} />
    </>
  );
}

interface SectionProps {
  id: string;
  title: string;
  rows: readonly ReactNode[];
  shown?: number;
}

/** Rows of one kind; long lists are shortened so that the next section stays in reach. */
function Section({ id, title, rows, shown = 12 }: SectionProps) {
  const { t } = useTranslation('worker');
  const [all, setAll] = useState(false);
  if (rows.length === 0) return null;
  const hidden = all ? 0 : Math.max(0, rows.length - shown);
  return (
    <section aria-labelledby={id} className={styles.section}>
      <h2 id={id} className="sub-title">
        {title}
      </h2>
      <div className={styles.rows}>{hidden > 0 ? rows.slice(0, shown) : rows}</div>
      {hidden > 0 && (
        <Button wide onClick={() => setAll(true)}>
          {t('showMore', { count: hidden })}
        </Button>
      )}
    </section>
  );
}
