import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Answer } from '../../api/client.ts';
import { Alert } from '../../design/components/Alert.tsx';
import { Button } from '../../design/components/Button.tsx';
import { TextField } from '../../design/components/Field.tsx';
import { useFormats } from '../../i18n/format.ts';
import { useProblemText } from '../../session/problem-text.ts';
import type { PortalCall } from '../../session/session.ts';
import { useCandidates, type Workload } from '../workers/workers.ts';
import { useMay } from '../permissions.tsx';
import { Loaded, Section } from './Section.tsx';
import { KEYS, type OrderDetails } from './orders.ts';
import styles from './parts.module.css';
import { WorkerList } from './WorkerList.tsx';

type Assignment = Answer<'GET /api/admin/orders/{id}/assignment'>['assignment'];

export const useAssignment = (call: PortalCall, id: string) =>
  useQuery({
    queryKey: KEYS.part(id, 'assignment'),
    queryFn: async ({ signal }) =>
      (await call('GET /api/admin/orders/{id}/assignment', { params: { id }, signal })).assignment,
  });
export type AskedAssignment = ReturnType<typeof useAssignment>;

function useAssign(call: PortalCall, assignment: Assignment, onDone: (overTrees: number) => void) {
  const queries = useQueryClient();
  const id = assignment.orderId;
  return useMutation({
    mutationFn: ({ workerId, reason }: { workerId: string; reason: string }) =>
      call('PUT /api/admin/orders/{id}/assignment', {
        params: { id },
        body: { workerId, ...(reason && { reason }) },
        ifMatch: String(assignment.revision),
      }),
    onSuccess: (answer) => {
      queries.setQueryData(KEYS.part(id, 'assignment'), answer.assignment);
      onDone(answer.overCapacityTrees);
    },
    // Reload even after a refusal: another admin may have reassigned it.
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: KEYS.order(id) });
      void queries.invalidateQueries({ queryKey: KEYS.lists });
      void queries.invalidateQueries({ queryKey: ['admin', 'workloads'] });
    },
  });
}

interface AssignFormProps {
  call: PortalCall;
  assignment: Assignment;
  onDone: (overTrees: number) => void;
  onCancel: () => void;
}

/** Chooses among possible workers; a reassignment needs a reason. */
function AssignForm({ call, assignment, onDone, onCancel }: AssignFormProps) {
  const candidates = useCandidates(call, assignment.orderId);
  return (
    <div className={styles.form}>
      <Loaded query={candidates}>
        {(workers) => <Choice {...{ call, assignment, onDone, onCancel, workers }} />}
      </Loaded>
    </div>
  );
}

function Choice({
  call,
  assignment,
  onDone,
  onCancel,
  workers,
}: AssignFormProps & { workers: readonly Workload[] }) {
  const { t } = useTranslation('admin');
  const { t: common } = useTranslation();
  const problemText = useProblemText();
  const others = workers.filter(({ workerId }) => workerId !== assignment.worker?.workerId);
  const [workerId, setWorkerId] = useState(others[0]?.workerId ?? '');
  const [reason, setReason] = useState('');
  const [asked, setAsked] = useState(false);
  const assign = useAssign(call, assignment, onDone);
  const needsReason = assignment.worker !== undefined;
  const missing = needsReason && reason.trim() === '';
  const chosen = others.find((worker) => worker.workerId === workerId);
  const failed = t('assign.failed');
  if (others.length === 0) return <p className="quiet">{t('assign.nobody')}</p>;
  return (
    <form
      className={styles.fields}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setAsked(true);
        if (!missing && chosen && !assign.isPending) assign.mutate({ workerId, reason: reason.trim() });
      }}
    >
      <WorkerList workers={others} trees={assignment.trees} chosen={workerId} onChoose={setWorkerId} />
      {chosen?.candidate?.hasRoom === false && <p>{t('assign.noRoom')}</p>}
      <TextField
        label={t('assign.reason')}
        note={needsReason ? undefined : t('optional')}
        rows={2}
        maxLength={1000}
        error={asked && missing && t('assign.reasonMissing')}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
      {assign.error && <Alert kind="wrong">{problemText(assign.error, { failed, network: failed })}</Alert>}
      <div className={styles.acts}>
        <Button size="small" onClick={onCancel}>
          {common('cancel')}
        </Button>
        <Button size="small" type="submit" working={assign.isPending && t('assign.working')}>
          {t('assign.submit', { name: chosen?.name })}
        </Button>
      </div>
    </form>
  );
}

interface AssignmentSectionProps {
  call: PortalCall;
  order: OrderDetails;
  assignment: AskedAssignment;
  /** The worker as the order knows it. */
  children: ReactNode;
}

export function AssignmentSection({ call, order, assignment, children }: AssignmentSectionProps) {
  const { t } = useTranslation('admin');
  const [choosing, setChoosing] = useState(false);
  const [overTrees, setOverTrees] = useState<number>();
  const formats = useFormats();
  const may = useMay();
  const canAssign =
    may('assignments:write') &&
    assignment.data &&
    !assignment.data.isWithdrawn &&
    order.status !== 'completed';
  return (
    <Section
      title={t('details.worker')}
      wide={choosing}
      action={
        canAssign &&
        !choosing && (
          <Button
            size="small"
            look="text"
            onClick={() => {
              setOverTrees(undefined);
              setChoosing(true);
            }}
          >
            {assignment.data?.worker ? t('assign.reassign') : t('assign.assign')}
          </Button>
        )
      }
    >
      {children}
      {overTrees !== undefined && (
        <Alert kind="good">
          {overTrees > 0 ? t('assign.over', { trees: formats.number(overTrees) }) : t('assign.done')}
        </Alert>
      )}
      <Loaded query={assignment} missing={t('assign.none')}>
        {(known) => (
          <>
            {choosing && (
              <AssignForm
                call={call}
                assignment={known}
                onDone={(over) => {
                  setChoosing(false);
                  setOverTrees(over);
                }}
                onCancel={() => setChoosing(false)}
              />
            )}
            <EarlierWorkers assignment={known} />
          </>
        )}
      </Loaded>
    </Section>
  );
}

function EarlierWorkers({ assignment: { history } }: { assignment: Assignment }) {
  const { t } = useTranslation('admin');
  const formats = useFormats();
  if (history.length < 2) return null;
  return (
    <details className={styles.more}>
      <summary>{t('assign.history')}</summary>
      <ul>
        {history.toReversed().map(({ at, worker, by, reason }) => (
          <li key={at} className={styles.line}>
            <p>
              <strong>{worker ? `${worker.name} · ${worker.code}` : t('details.unassigned')}</strong>
            </p>
            <p className="quiet">
              {formats.moment(at)} · {by.name ? t(`by.${by.role}`, { name: by.name }) : t('by.system')}
            </p>
            {reason && <p>{reason}</p>}
          </li>
        ))}
      </ul>
    </details>
  );
}
