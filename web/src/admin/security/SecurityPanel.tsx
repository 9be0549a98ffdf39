import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../design/components/Button.tsx';
import { ConfirmDialog } from '../../design/components/ConfirmDialog.tsx';
import { useToast } from '../../design/components/Toasts.tsx';
import { useProblemText } from '../../session/problem-text.ts';
import { Panel } from '../shared/Panel.tsx';
import { useOnce } from '../shared/files.tsx';
import type { PanelProps } from '../panel.ts';
import { SecondFactor } from './SecondFactor.tsx';
import styles from './Security.module.css';
import { StepForm } from './StepForm.tsx';

function LogOutEverywhere({ session: { call, logOut } }: PanelProps) {
  const { t } = useTranslation('panels');
  const problemText = useProblemText();
  const [isAsked, setAsked] = useState(false);
  const end = useMutation({
    mutationFn: () => call('POST /api/auth/me/log-out-everywhere'),
    onSuccess: logOut,
  });
  const endOnce = useOnce(end);
  return (
    <section className={styles.part} aria-labelledby="everywhere">
      <h3 id="everywhere" className={styles.title}>
        {t('security.everywhere')}
      </h3>
      <p>{t('security.everywhereText')}</p>
      <div className={styles.acts}>
        <Button look="destructive" onClick={() => setAsked(true)}>
          {t('security.logOutEverywhere')}
        </Button>
      </div>
      <ConfirmDialog
        open={isAsked}
        onClose={() => setAsked(false)}
        destructive
        title={t('security.everywhereTitle')}
        confirm={t('security.everywhereConfirm')}
        working={end.isPending && t('decision.working')}
        error={
          end.error &&
          problemText(end.error, { failed: t('security.failed'), network: t('workers.noAnswer') })
        }
        onConfirm={() => endOnce(undefined)}
      >
        <p>{t('security.everywhereMeans')}</p>
      </ConfirmDialog>
    </section>
  );
}

function Password({ session: { call, logIn } }: PanelProps) {
  const { t } = useTranslation('panels');
  const toast = useToast();
  // A new key resets the form after each change, so that passwords do not stay on screen.
  const [changes, setChanges] = useState(0);
  const change = useMutation({
    mutationFn: (body: { currentPassword: string; newPassword: string }) =>
      call('PUT /api/auth/me/password', { body }),
    onSuccess: ({ token }) => {
      logIn(token);
      setChanges((times) => times + 1);
      toast({ kind: 'good', text: t('security.passwordChanged') });
    },
  });
  const changeOnce = useOnce(change);
  return (
    <section className={styles.part} aria-labelledby="password">
      <h3 id="password" className={styles.title}>
        {t('security.password')}
      </h3>
      <p>{t('security.passwordText')}</p>
      <StepForm
        key={changes}
        fields={['currentPassword', 'newPassword']}
        submit={t('security.changePassword')}
        isWorking={change.isPending}
        error={change.error}
        onSubmit={(typed) => changeOnce(typed)}
      />
    </section>
  );
}

export function SecurityPanel({ session }: PanelProps) {
  const { t } = useTranslation('panels');
  return (
    <Panel title={t('security.title')}>
      <div className={styles.parts}>
        <SecondFactor session={session} />
        <Password session={session} />
        <LogOutEverywhere session={session} />
      </div>
    </Panel>
  );
}
