import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { Button } from '../../design/components/Button.tsx';
import { ConfirmDialog } from '../../design/components/ConfirmDialog.tsx';
import type { OpenSession } from '../../portal/Gate.tsx';
import { useProblemText } from '../../session/problem-text.ts';
import type { Invitation } from '../Welcome.tsx';
import { Section } from './Section.tsx';

/** Ends every session, for a lost phone or a borrowed computer. */
export function Sessions({ session }: { session: OpenSession<'customer'> }) {
  const { t } = useTranslation('account');
  const problemText = useProblemText();
  const navigate = useNavigate();
  const [asking, setAsking] = useState(false);
  const ending = useMutation({
    mutationFn: () => session.call('POST /api/auth/me/log-out-everywhere'),
    onSuccess: () => {
      session.logOut();
      void navigate('/customer-portal', { state: { notice: 'loggedOut' } satisfies Invitation });
    },
  });
  return (
    <Section title={t('sessions.title')} text={t('sessions.text')}>
      <Button onClick={() => setAsking(true)}>{t('sessions.submit')}</Button>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={t('sessions.ask')}
        confirm={t('sessions.submit')}
        working={ending.isPending && t('sessions.working')}
        onConfirm={() => ending.mutate()}
        error={ending.isError && problemText(ending.error, { failed: t('failed'), network: t('network') })}
      >
        <p>{t('sessions.will')}</p>
      </ConfirmDialog>
    </Section>
  );
}
