import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Alert } from '../../design/components/Alert.tsx';
import { Button } from '../../design/components/Button.tsx';
import { SelectField, TextField } from '../../design/components/Field.tsx';
import { useFormats } from '../../i18n/format.ts';
import { useProblemText } from '../../session/problem-text.ts';
import type { PortalCall } from '../../session/session.ts';
import { type Assignment, type Candidate, useAssign, useCandidates } from './assignment.ts';
import { Loaded } from './Section.tsx';
import styles from './parts.module.css';

interface Props {
  call: PortalCall;
  assignment: Assignment;
  onDone: (overTrees: number) => void;
  onCancel: () => void;
}

/** Chooses among possible workers; a reassignment needs a reason. */
export function AssignForm({ call, assignment, onDone, onCancel }: Props) {
  const candidates = useCandidates(call, assignment.orderId);
  return (
    <div className={styles.form}>
      <Loaded query={candidates}>
        {(workers) => <Choice {...{ call, assignment, onDone, onCancel, workers }} />}
      </Loaded>
    </div>
  );
}

function Choice({ call, assignment, onDone, onCancel, workers }: Props & { workers: Candidate[] }) {
  const { t } = useTranslation('admin');
  const { t: common } = useTranslation();
  const problemText = useProblemText();
  const describe = useDescription();
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
      <SelectField
        label={t('assign.worker')}
        hint={chosen?.candidate?.hasRoom === false ? t('assign.noRoom') : undefined}
        value={workerId}
        onChange={(event) => setWorkerId(event.target.value)}
      >
        {others.map((worker) => (
          <option key={worker.workerId} value={worker.workerId}>
            {describe(worker)}
          </option>
        ))}
      </SelectField>
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

function useDescription(): (worker: Candidate) => string {
  const { t } = useTranslation('admin');
  const formats = useFormats();
  return (worker) =>
    t('assign.candidate', {
      name: worker.name,
      code: worker.code,
      region: worker.region,
      free: formats.number(worker.freeTrees),
    });
}
