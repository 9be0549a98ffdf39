import { ORDER_STATUSES, type OrderStatus } from '@arboleda/contracts/order.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Alert } from '../../design/components/Alert.tsx';
import { Button } from '../../design/components/Button.tsx';
import { Dialog } from '../../design/components/Dialog.tsx';
import { SelectField, TextField } from '../../design/components/Field.tsx';
import { useFormats } from '../../i18n/format.ts';
import { useProblemText } from '../../session/problem-text.ts';
import type { PortalCall } from '../../session/session.ts';
import { useOnce } from '../shared/files.tsx';
import type { Workload } from '../workers/workers.ts';
import { type BulkAction, isReassignment, type Outcome, skipOf, useBulk } from './bulk.ts';
import styles from './Bulk.module.css';
import { useExport } from './export-orders.ts';
import type { OrderRow } from './orders.ts';
import { WorkerList } from './WorkerList.tsx';

export type BulkKind = BulkAction['kind'] | 'export';

interface Props {
  call: PortalCall;
  kind: BulkKind;
  orders: readonly OrderRow[];
  workers: readonly Workload[];
  /** @param done ids of the orders that need nothing more */
  onClose: (done: readonly string[]) => void;
}

/** One question that lists what will happen to each order, and then what happened to each. */
export function BulkDialog({ kind, ...props }: Props) {
  if (kind === 'export') return <ExportDialog {...props} />;
  return <ActionDialog kind={kind} {...props} />;
}

function ActionDialog({ call, kind, orders, workers, onClose }: Props & { kind: BulkAction['kind'] }) {
  const { t } = useTranslation('admin');
  const { t: common } = useTranslation();
  const { run, outcomes } = useBulk(call);
  const send = useOnce(run);
  const [to, setTo] = useState<OrderStatus>('assigned');
  const [workerId, setWorkerId] = useState('');
  const [reason, setReason] = useState('');
  const [asked, setAsked] = useState(false);
  const active = workers.filter((worker) => worker.active).toSorted(bestFor(orders));
  const action: BulkAction = kind === 'status' ? { kind, to, reason } : { kind, workerId, reason };
  const worker = active.find((one) => one.workerId === workerId);
  const changing = orders.filter((order) => skipOf(order, action) === undefined);
  const trees = changing.reduce((sum, order) => sum + order.trees, 0);
  const missing = {
    worker: kind === 'assign' && worker === undefined,
    reason: kind === 'assign' && changing.some(isReassignment) && reason.trim() === '',
  };
  const done = orders.filter(({ _id }) => isSettled(outcomes.get(_id))).map(({ _id }) => _id);
  const close = () => !run.isPending && onClose(done);
  const submit = () => {
    setAsked(true);
    if (missing.worker || missing.reason || changing.length === 0) return;
    send({ orders, action });
  };
  const isOver = run.data !== undefined;
  return (
    <Dialog
      open
      onClose={close}
      width="wide"
      title={t(`bulk.titles.${kind}`, { count: orders.length })}
      actions={
        isOver ? (
          <Button onClick={close}>{common('close')}</Button>
        ) : (
          <>
            <Button onClick={close} disabled={run.isPending}>
              {common('cancel')}
            </Button>
            <Button
              disabled={changing.length === 0}
              working={run.isPending && t('bulk.working', { done: outcomes.size, all: orders.length })}
              onClick={submit}
            >
              {kind === 'status'
                ? t('bulk.confirm.status', { count: changing.length })
                : t('bulk.confirm.assign', { count: changing.length, name: worker?.name ?? '…' })}
            </Button>
          </>
        )
      }
    >
      {isOver && <Summary outcomes={[...run.data.values()]} />}
      {!isOver && !run.isPending && (
        <div className={styles.fields}>
          {kind === 'status' ? (
            <SelectField
              label={t('bulk.newStatus')}
              value={to}
              onChange={(event) => setTo(event.target.value as OrderStatus)}
            >
              {ORDER_STATUSES.map((status) => (
                <option key={status} value={status}>
                  {common(`status.${status}`)}
                </option>
              ))}
            </SelectField>
          ) : (
            <WorkerList
              workers={active}
              trees={trees}
              chosen={workerId}
              error={asked && missing.worker && t('bulk.workerMissing')}
              onChoose={setWorkerId}
            />
          )}
          <TextField
            label={kind === 'status' ? t('status.reason') : t('assign.reason')}
            note={kind === 'assign' && changing.some(isReassignment) ? undefined : t('optional')}
            hint={t('bulk.reasonHint')}
            rows={2}
            maxLength={1000}
            error={asked && missing.reason && t('assign.reasonMissing')}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        </div>
      )}
      <Lines orders={orders} action={action} worker={worker} outcomes={outcomes} />
    </Dialog>
  );
}

const isSettled = (outcome: Outcome | undefined): boolean =>
  outcome?.state === 'done' || outcome?.state === 'skipped';

/** Workers of the orders' regions first, then those with the most room. */
const bestFor = (orders: readonly OrderRow[]) => (one: Workload, other: Workload) => {
  const near = ({ region }: Workload) => orders.filter((order) => order.region === region).length;
  return near(other) - near(one) || other.freeTrees - one.freeTrees || one.name.localeCompare(other.name);
};

function Summary({ outcomes }: { outcomes: readonly Outcome[] }) {
  const { t } = useTranslation('admin');
  const count = (...states: Outcome['state'][]) =>
    outcomes.filter(({ state }) => states.includes(state)).length;
  const [done, skipped, failed] = [count('done'), count('skipped'), count('overtaken', 'failed')];
  return (
    <Alert kind={failed > 0 ? 'wrong' : 'good'}>
      {[
        t('bulk.done', { count: done }),
        ...(skipped > 0 ? [t('bulk.skipped', { count: skipped })] : []),
        ...(failed > 0 ? [t('bulk.failed', { count: failed })] : []),
      ].join(' ')}
    </Alert>
  );
}

interface LinesProps {
  orders: readonly OrderRow[];
  action: BulkAction;
  worker: Workload | undefined;
  outcomes: ReadonlyMap<string, Outcome>;
}

function Lines({ orders, action, worker, outcomes }: LinesProps) {
  const { t } = useTranslation('admin');
  const { t: common } = useTranslation();
  const problemText = useProblemText();
  const will = (order: OrderRow): string => {
    const skip = skipOf(order, action);
    if (skip) return t(`bulk.skips.${skip}`);
    if (action.kind === 'status')
      return t('bulk.willChange', {
        from: common(`status.${order.status}`),
        to: common(`status.${action.to}`),
      });
    return t('bulk.willAssign', {
      from: order.assignedWorker?.name ?? t('details.unassigned'),
      to: worker?.name ?? '…',
    });
  };
  const happened = (outcome: Outcome): string => {
    if (outcome.state === 'failed')
      return problemText(outcome.error, { failed: t('bulk.notChanged'), network: t('bulk.noAnswer') });
    return outcome.state === 'skipped' ? t(`bulk.skips.${outcome.why}`) : t(`bulk.outcomes.${outcome.state}`);
  };
  return (
    <ul className={styles.lines} aria-label={t('bulk.list')}>
      {orders.map((order) => {
        const outcome = outcomes.get(order._id);
        const isWrong = outcome?.state === 'failed' || outcome?.state === 'overtaken';
        return (
          <li key={order._id} className={styles.line}>
            <strong className="tabular">{order.shortId}</strong>
            <span>{order.customerName}</span>
            <span className={isWrong ? styles.wrong : 'quiet'}>
              {outcome ? happened(outcome) : will(order)}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

function ExportDialog({ call, orders, onClose }: Omit<Props, 'kind' | 'workers'>) {
  const { t } = useTranslation('admin');
  const { t: common } = useTranslation();
  const formats = useFormats();
  const file = useExport(call, t('find.fileName'));
  const send = useOnce(file);
  return (
    <Dialog
      open
      onClose={() => onClose([])}
      width="wide"
      title={t('bulk.titles.export', { count: orders.length })}
      actions={
        <>
          <Button onClick={() => onClose([])}>{file.isSuccess ? common('close') : common('cancel')}</Button>
          {!file.isSuccess && (
            <Button
              working={file.isPending && t('find.exporting')}
              onClick={() => send({ ids: orders.map(({ _id }) => _id).join(',') })}
            >
              {t('bulk.confirm.export', { count: orders.length })}
            </Button>
          )}
        </>
      }
    >
      {file.isSuccess && <Alert kind="good">{t('bulk.exported', { count: orders.length })}</Alert>}
      {file.isError && <Alert kind="wrong">{t('find.exportFailed')}</Alert>}
      <p>{t('bulk.exportText')}</p>
      <ul className={styles.lines} aria-label={t('bulk.list')}>
        {orders.map((order) => (
          <li key={order._id} className={styles.line}>
            <strong className="tabular">{order.shortId}</strong>
            <span>{order.customerName}</span>
            <span className="quiet tabular">{formats.money(order.amount, order.currency)}</span>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
