import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { showFieldProblems } from '../../account/field-problems.ts';
import { Alert } from '../../design/components/Alert.tsx';
import { Button } from '../../design/components/Button.tsx';
import { Dialog } from '../../design/components/Dialog.tsx';
import { Field } from '../../design/components/Field.tsx';
import type { OpenSession } from '../../portal/Gate.tsx';
import { useProblemText } from '../../session/problem-text.ts';
import type { Invitation } from '../Welcome.tsx';
import styles from './AccountPage.module.css';
import { Section } from './Section.tsx';

const FORM = 'delete-account';

/** Deletes the account immediately and permanently; trees and orders remain without personal data. */
export function Deletion({ session }: { session: OpenSession<'customer'> }) {
  const { t } = useTranslation('account');
  const { t: common } = useTranslation();
  const { t: portal } = useTranslation('portal');
  const problemText = useProblemText();
  const navigate = useNavigate();
  const [asking, setAsking] = useState(false);
  const form = useForm({ defaultValues: { currentPassword: '' } });
  const deleting = useMutation({
    mutationFn: (proof: { currentPassword: string }) =>
      session.call('POST /api/auth/me/deletion', { body: proof }),
    onSuccess: () => {
      session.logOut();
      void navigate('/customer-portal', { state: { notice: 'deleted' } satisfies Invitation });
    },
    onError: (error) => showFieldProblems(form, error),
  });
  const close = () => {
    setAsking(false);
    deleting.reset();
    form.reset();
  };
  const { currentPassword: wrong } = form.formState.errors;
  return (
    <Section title={t('delete.title')} text={t('delete.text')}>
      <Button look="destructive" onClick={() => setAsking(true)}>
        {t('delete.open')}
      </Button>
      <Dialog
        open={asking}
        onClose={close}
        title={t('delete.ask')}
        actions={
          <>
            <Button onClick={close}>{common('cancel')}</Button>
            <Button
              type="submit"
              form={FORM}
              look="solid-destructive"
              working={deleting.isPending && t('delete.working')}
            >
              {t('delete.submit')}
            </Button>
          </>
        }
      >
        <form
          id={FORM}
          noValidate
          className={styles.dialog}
          onSubmit={form.handleSubmit((proof) => deleting.mutate(proof))}
        >
          <p>{t('delete.goes')}</p>
          <ul>
            <li>{t('delete.goesAccount')}</li>
            <li>{t('delete.goesName')}</li>
            <li>{t('delete.goesMails')}</li>
          </ul>
          <p>{t('delete.stays')}</p>
          <ul>
            <li>{t('delete.staysTrees')}</li>
            <li>{t('delete.staysLink')}</li>
          </ul>
          <Field
            label={t('password.current')}
            type="password"
            autoComplete="current-password"
            required
            error={wrong && (wrong.message || portal('required'))}
            {...form.register('currentPassword', { required: true })}
          />
          {deleting.isError && (
            <Alert kind="wrong">
              {problemText(deleting.error, { failed: t('failed'), network: t('network') })}
            </Alert>
          )}
        </form>
      </Dialog>
    </Section>
  );
}
