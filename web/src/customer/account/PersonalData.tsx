import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { showFieldProblems } from '../../account/field-problems.ts';
import { saveFile } from '../../api/save-file.ts';
import { Alert } from '../../design/components/Alert.tsx';
import { Button } from '../../design/components/Button.tsx';
import { Dialog } from '../../design/components/Dialog.tsx';
import { Field, SelectField } from '../../design/components/Field.tsx';
import { download } from '../../design/components/icons.ts';
import { type Language, LANGUAGES, saveLanguage } from '../../i18n/languages.ts';
import type { OpenSession } from '../../portal/Gate.tsx';
import { useProblemText } from '../../session/problem-text.ts';
import type { Invitation } from '../Welcome.tsx';
import styles from './AccountPage.module.css';
import { Section } from './Section.tsx';

/** Name, and the language of pages and emails. */
export function Details({ session }: { session: OpenSession<'customer'> }) {
  const { t, i18n } = useTranslation('account');
  const { t: common } = useTranslation();
  const { t: portal } = useTranslation('portal');
  const problemText = useProblemText();
  const { name, language } = session.person;
  const form = useForm<{ name: string; language: Language }>({ defaultValues: { name, language } });
  const saving = useMutation({
    mutationFn: (values: { name: string; language: Language }) =>
      session.call('PUT /api/auth/me', { body: values }),
    onSuccess: ({ token, user }) => {
      session.logIn(token);
      saveLanguage(user.language);
      form.reset({ name: user.name, language: user.language });
      return i18n.changeLanguage(user.language);
    },
    onError: (error) => showFieldProblems(form, error),
  });
  const { errors } = form.formState;
  return (
    <Section title={t('details.title')} text={t('details.text')}>
      <form
        noValidate
        className={styles.form}
        onSubmit={form.handleSubmit((values) => saving.mutate(values))}
      >
        <Field
          label={t('details.name')}
          autoComplete="name"
          maxLength={120}
          dir="auto"
          required
          error={errors.name && (errors.name.message || portal('required'))}
          {...form.register('name', { required: true, setValueAs: (value: string) => value.trim() })}
        />
        <SelectField
          label={t('details.language')}
          hint={t('details.languageHint')}
          {...form.register('language')}
        >
          {LANGUAGES.map((one) => (
            <option key={one} value={one} lang={one}>
              {common(`language.${one}`)}
            </option>
          ))}
        </SelectField>
        <Button type="submit" working={saving.isPending && t('saving')}>
          {t('details.save')}
        </Button>
        {saving.isSuccess && <Alert kind="good">{t('details.saved')}</Alert>}
        {saving.isError && (
          <Alert kind="wrong">
            {problemText(saving.error, { failed: t('failed'), network: t('network') })}
          </Alert>
        )}
      </form>
    </Section>
  );
}

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
