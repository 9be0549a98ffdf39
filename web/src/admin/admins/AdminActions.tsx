import { useTranslation } from 'react-i18next';
import { isProblem } from '../../api/problem.ts';
import { ConfirmDialog } from '../../design/components/ConfirmDialog.tsx';
import { useToast } from '../../design/components/Toasts.tsx';
import { useProblemText } from '../../session/problem-text.ts';
import type { PortalCall } from '../../session/session.ts';
import { useOnce } from '../shared/files.tsx';
import { type Admin, useAdminAction } from './admins.ts';

const ACTIONS = ['deactivate', 'reactivate', 'invite', 'remove'] as const;
type Asked = (typeof ACTIONS)[number];

interface Props {
  call: PortalCall;
  admin: Admin;
  act: string;
  onClose: () => void;
}

/** Actions on an admin, confirmed with what they mean. */
export function AdminActions({ call, admin, act: asked, onClose }: Props) {
  const { t } = useTranslation('admins');
  const toast = useToast();
  const problemText = useProblemText();
  const params = { id: admin.id };
  const run = useAdminAction((action: Asked): Promise<unknown> => {
    if (action === 'invite') return call('POST /api/admin/admins/{id}/invitation', { params });
    if (action === 'remove') return call('DELETE /api/admin/admins/{id}', { params });
    return call('PUT /api/admin/admins/{id}', {
      params,
      body: { active: action === 'reactivate' },
      ifMatch: String(admin.revision),
    });
  });
  const send = useOnce(run);
  const act = ACTIONS.find((one) => one === asked);
  if (!act) return null;
  const failure = (error: Error) =>
    isProblem(error, 'precondition-failed')
      ? t('changedMeanwhile')
      : problemText(error, { failed: t('failed'), network: t('noAnswer') });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      destructive={act === 'deactivate' || act === 'remove'}
      title={t(`ask.${act}`, { name: admin.name })}
      confirm={t(`confirm.${act}`)}
      working={run.isPending && t('working')}
      error={run.error && failure(run.error)}
      onConfirm={() =>
        send(act, {
          onSuccess: () => {
            toast({ kind: 'good', text: t(`done.${act}`, { name: admin.name }) });
            onClose();
          },
        })
      }
    >
      <p>{t(`means.${act}`, { email: admin.email })}</p>
    </ConfirmDialog>
  );
}
