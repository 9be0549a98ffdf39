import { dayOf } from '@arboleda/contracts/time-zone.ts';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { RequestQuery } from '../../api/client.ts';
import { saveFile } from '../../api/save-file.ts';
import { Button } from '../../design/components/Button.tsx';
import { useToast } from '../../design/components/Toasts.tsx';
import { useProblemText } from '../../session/problem-text.ts';
import type { PortalCall } from '../../session/session.ts';

/** A log of years takes minutes. */
const TIMEOUT_MS = 300_000;

interface Props {
  call: PortalCall;
  query: RequestQuery<'GET /api/admin/audit-log/export'>;
}

/** Saves all rows that the filters find. */
export function AuditExport({ call, query }: Props) {
  const { t } = useTranslation('audit');
  const toast = useToast();
  const problemText = useProblemText();
  const name = t('title').toLowerCase().replaceAll(' ', '-');
  const save = useMutation({
    mutationFn: async () => {
      const file = await call('GET /api/admin/audit-log/export', { query, timeoutMs: TIMEOUT_MS });
      saveFile(file, `${name}-${dayOf(new Date())}.csv`);
    },
  });
  const failed = t('exportFailed');
  const onClick = () =>
    save.mutate(undefined, {
      onSuccess: () => toast({ kind: 'good', text: t('exported') }),
      onError: (error) => toast({ kind: 'wrong', text: problemText(error, { failed, network: failed }) }),
    });
  return (
    <Button working={save.isPending && t('exporting')} onClick={onClick}>
      {t('export')}
    </Button>
  );
}
