import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { saveFile } from '../../api/save-file.ts';
import { Alert } from '../../design/components/Alert.tsx';
import { Button } from '../../design/components/Button.tsx';
import { download } from '../../design/components/icons.ts';
import type { OpenSession } from '../../portal/Gate.tsx';
import { useProblemText } from '../../session/problem-text.ts';
import { Section } from './Section.tsx';

/** Exports all data stored about a person, account and orders, as one file. */
export function Export({ session }: { session: OpenSession<'customer'> }) {
  const { t } = useTranslation('account');
  const problemText = useProblemText();
  const exporting = useMutation({
    mutationFn: async () => {
      const [account, orders] = await Promise.all([
        session.call('GET /api/auth/me/export'),
        session.call('GET /api/customers/orders/export'),
      ]);
      const text = JSON.stringify({ account, orders }, null, 2);
      saveFile(new Blob([text], { type: 'application/json' }), t('export.fileName'));
    },
  });
  return (
    <Section title={t('export.title')} text={t('export.text')}>
      <Button
        icon={download}
        working={exporting.isPending && t('export.working')}
        onClick={() => exporting.mutate()}
      >
        {t('export.submit')}
      </Button>
      {exporting.isSuccess && <Alert kind="good">{t('export.done')}</Alert>}
      {exporting.isError && (
        <Alert kind="wrong">
          {problemText(exporting.error, { failed: t('export.failed'), network: t('network') })}
        </Alert>
      )}
    </Section>
  );
}
