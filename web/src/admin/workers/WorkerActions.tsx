import { useTranslation } from 'react-i18next';
import { isProblem } from '../../api/problem.ts';
import { ConfirmDialog } from '../../design/components/ConfirmDialog.tsx';
import { useToast } from '../../design/components/Toasts.tsx';
import { useFormats } from '../../i18n/format.ts';
import { useProblemText } from '../../session/problem-text.ts';
import type { PortalCall } from '../../session/session.ts';
import { useOnce } from '../shared/files.tsx';
import { useWorkerAction, type Worker, type Workload } from './workers.ts';

const ACTIONS = ['deactivate', 'reactivate', 'invite', 'remove'] as const;
type Asked = (typeof ACTIONS)[number];

interface Props {
  call: PortalCall;
  worker: Worker;
  workload: Workload | undefined;
  act: string;
  onClose: () => void;
}

/** Actions on a worker, confirmed with their effect on open work. */
export function WorkerActions({ call, worker, workload, act: asked, onClose }: Props) {
  const { t } = useTranslation('panels');
  const formats = useFormats();
  const toast = useToast();
  const problemText = useProblemText();
  const params = { id: worker.id };
  const run = useWorkerAction((action: Asked): Promise<unknown> => {
    if (action === 'invite') return call('POST /api/admin/workers/{id}/invitation', { params });
    if (action === 'remove') return call('DELETE /api/admin/workers/{id}', { params });
    return call('PUT /api/admin/workers/{id}', {
      params,
      body: { active: action === 'reactivate' },
      ifMatch: String(worker.revision),
    });
  });
  const send = useOnce(run);
  const act = ACTIONS.find((one) => one === asked);
  if (!act) return null;
  const open = workload?.openAssignments ?? 0;
  const confirm = () => {
    send(act, {
      onSuccess: () => {
        toast({ kind: 'good', text: t(`workers.done.${act}`, { name: worker.name }) });
        onClose();
      },
    });
  };
  const failure = (error: Error) =>
    isProblem(error, 'precondition-failed')
      ? t('workers.changedMeanwhile')
      : problemText(error, { failed: t('workers.failed'), network: t('workers.noAnswer') });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      destructive={act === 'deactivate' || act === 'remove'}
      title={t(`workers.ask.${act}`, { name: worker.name })}
      confirm={t(`workers.confirm.${act}`)}
      working={run.isPending && t('decision.working')}
      error={run.error && failure(run.error)}
      onConfirm={confirm}
    >
      <p>{t(`workers.means.${act}`, { name: worker.name, email: worker.email })}</p>
      {act === 'deactivate' && (
        <p>
          {open === 0
            ? t('workers.noOpen')
            : t('workers.open', {
                count: open,
                trees: t('overview.treesOf', {
                  count: workload?.openTrees ?? 0,
                  shown: formats.number(workload?.openTrees ?? 0),
                }),
              })}
          {(workload?.visitsDue ?? 0) > 0 &&
            ` ${t('workers.visitsGo', { count: workload?.visitsDue ?? 0, shown: formats.number(workload?.visitsDue ?? 0) })}`}
        </p>
      )}
    </ConfirmDialog>
  );
}
