import { LANGUAGES, type Language } from '@arboleda/contracts/roles.ts';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PublicOrder } from '../../api/order.ts';
import { ApiProblem } from '../../api/problem.ts';
import { Alert } from '../../design/components/Alert.tsx';
import { Button } from '../../design/components/Button.tsx';
import { Field, SelectField } from '../../design/components/Field.tsx';
import { asLanguage } from '../../i18n/languages.ts';
import { useBuyersEmail } from '../arrival.ts';
import { fieldSentence } from '../../session/problem-text.ts';
import { useSession } from '../../session/session.ts';
import styles from './certificates.module.css';

export interface Wanted {
  /** Null for none. */
  name: string | null;
  language: Language;
  /** The order's, which proves the buyer; empty for the customer whose order it is. */
  email: string;
}

interface Props {
  order: Pick<PublicOrder, 'customerName'>;
  /** The one to be changed. */
  certificate: { name?: string | null | undefined; language: Language } | undefined;
  asksEmail: boolean;
  issuing: {
    mutate: (wanted: Wanted) => void;
    isPending: boolean;
    error: unknown;
    /** In words, for what no field says. */
    problem: string | undefined;
  };
  onCancel: () => void;
}

/** Name or none, and language; guests add the order's address, because private links are shared. */
export function CertificateForm({ order, certificate, asksEmail, issuing, onCancel }: Props) {
  const { t, i18n } = useTranslation('certificate');
  const { t: common } = useTranslation();
  const session = useSession('customer');
  const page = asLanguage(i18n.language) ?? 'en';
  const form = useRef<HTMLFormElement>(null);
  const [isNamed, setNamed] = useState(certificate?.name !== null);
  const [name, setName] = useState(
    () =>
      certificate?.name || (session.state === 'in' && !asksEmail ? session.person.name : order.customerName),
  );
  const [language, setLanguage] = useState<Language>(certificate?.language ?? page);
  const buyersEmail = useBuyersEmail();
  const [email, setEmail] = useState(buyersEmail ?? '');
  const [wasAsked, setAsked] = useState(false);
  useEffect(() => form.current?.querySelector<HTMLElement>('input')?.focus(), []);

  const refused = (path: string) => {
    const field =
      issuing.error instanceof ApiProblem ? issuing.error.fields.find((one) => one.path === path) : undefined;
    return field && fieldSentence(field, page);
  };
  const isNameMissing = isNamed && name.trim() === '';
  const isEmailMissing = asksEmail && email.trim() === '';
  const errors = {
    name: (wasAsked && isNameMissing && t('own.nameMissing')) || (isNamed && refused('name')),
    email: (wasAsked && isEmailMissing && t('own.emailMissing')) || refused('email'),
  };
  useEffect(() => {
    if (issuing.error) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [issuing.error]);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    setAsked(true);
    if (isNameMissing || isEmailMissing) {
      form.current?.querySelector<HTMLElement>(isNameMissing ? '[name=name]' : '[name=email]')?.focus();
      return;
    }
    if (!issuing.isPending) issuing.mutate({ name: isNamed ? name.trim() : null, language, email });
  };
  const problem = !refused('name') && !refused('email') && issuing.problem;
  return (
    <form ref={form} noValidate className={styles.making} onSubmit={submit}>
      {certificate && <p>{t('own.changeHint')}</p>}
      <label className={styles.choice}>
        <input type="checkbox" checked={isNamed} onChange={({ target }) => setNamed(target.checked)} />
        {t('own.showName')}
      </label>
      {isNamed && (
        <Field
          label={t('own.name')}
          hint={t('own.nameHint')}
          name="name"
          autoComplete="name"
          maxLength={120}
          value={name}
          error={errors.name}
          onChange={({ target }) => setName(target.value)}
        />
      )}
      <SelectField
        label={t('own.language')}
        value={language}
        onChange={({ target }) => setLanguage(asLanguage(target.value) ?? 'en')}
      >
        {LANGUAGES.map((one) => (
          <option key={one} value={one}>
            {common(`language.${one}`)}
          </option>
        ))}
      </SelectField>
      {asksEmail && (
        <Field
          label={t('own.email')}
          hint={t('own.emailHint')}
          name="email"
          type="email"
          autoComplete="email"
          maxLength={254}
          value={email}
          error={errors.email}
          onChange={({ target }) => setEmail(target.value)}
        />
      )}
      {problem && <Alert kind="wrong">{problem}</Alert>}
      <div className={styles.actions}>
        <Button type="submit" look="accent" working={issuing.isPending && t('own.making')}>
          {certificate ? t('own.save') : t('own.make')}
        </Button>
        <Button onClick={onCancel}>{common('cancel')}</Button>
      </div>
    </form>
  );
}
