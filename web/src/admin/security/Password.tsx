import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useToast } from '../../design/components/Toasts.tsx';
import { useOnce } from '../desk/use-once.ts';
import type { PanelProps } from '../panel.ts';
import styles from './Security.module.css';
import { StepForm } from './StepForm.tsx';

export function Password({ session: { call, logIn } }: PanelProps) {
  const { t } = useTranslation('desk');
  const toast = useToast();
  // A new form after each change: passwords do not stay on the screen.
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
