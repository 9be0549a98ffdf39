import { useMutation } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { showFieldProblems } from '../../account/field-problems.ts';
import { Alert } from '../../design/components/Alert.tsx';
import { Button } from '../../design/components/Button.tsx';
import { Field, SelectField } from '../../design/components/Field.tsx';
import { LANGUAGES, type Language, saveLanguage } from '../../i18n/languages.ts';
import type { OpenSession } from '../../portal/Gate.tsx';
import { useProblemText } from '../../session/problem-text.ts';
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
    mutationFn: (wish: { name: string; language: Language }) =>
      session.call('PUT /api/auth/me', { body: wish }),
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
      <form noValidate className={styles.form} onSubmit={form.handleSubmit((wish) => saving.mutate(wish))}>
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
