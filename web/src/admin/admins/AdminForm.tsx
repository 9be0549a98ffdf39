import { ADMIN_ROLES, type AdminRole } from '@arboleda/contracts/permissions.ts';
import { useId } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { ApiProblem, isProblem } from '../../api/problem.ts';
import { Alert } from '../../design/components/Alert.tsx';
import { Button } from '../../design/components/Button.tsx';
import { Dialog } from '../../design/components/Dialog.tsx';
import { Field, FieldError, SelectField } from '../../design/components/Field.tsx';
import { useToast } from '../../design/components/Toasts.tsx';
import { LANGUAGES, type Language } from '../../i18n/languages.ts';
import { useProblemText } from '../../session/problem-text.ts';
import type { PortalCall } from '../../session/session.ts';
import { useFieldTexts } from '../shared/field-texts.ts';
import { useOnce } from '../shared/files.tsx';
import shared from '../shared/shared.module.css';
import styles from './Admins.module.css';
import { type Admin, useAdminAction } from './admins.ts';

interface Typed {
  name: string;
  email: string;
  language: Language;
  role: AdminRole | '';
}

interface Props {
  call: PortalCall;
  /** Undefined to invite an admin. */
  admin: Admin | undefined;
  /** Nobody changes their own role. */
  isMe: boolean;
  onClose: () => void;
}

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

function leadOf(admin: Admin | undefined, isMe: boolean) {
  if (!admin) return 'addText';
  if (isMe) return 'editMe';
  return admin.invitationPending ? 'editInvited' : 'editText';
}

/** Invites an admin by email, or changes the name or role of one. */
export function AdminForm({ call, admin, isMe, onClose }: Props) {
  const { t } = useTranslation('admins');
  const { t: common } = useTranslation();
  const { t: roles } = useTranslation('admin');
  const toast = useToast();
  const problemText = useProblemText();
  const fieldTexts = useFieldTexts();
  const id = useId();
  const form = useForm<Typed>({
    defaultValues: {
      name: admin?.name ?? '',
      email: admin?.email ?? '',
      language: admin?.language ?? 'es',
      role: admin?.role ?? '',
    },
  });
  const { errors } = form.formState;
  const save = useAdminAction(({ name, email, language, role }: Typed) => {
    if (!admin)
      return call('POST /api/admin/admins', { body: { name, email, language, role: role as AdminRole } });
    return call('PUT /api/admin/admins/{id}', {
      params: { id: admin.id },
      body: { name, ...(!isMe && { role: role as AdminRole }) },
      ifMatch: String(admin.revision),
    });
  });
  const send = useOnce(save);
  const onSubmit = form.handleSubmit((typed) => {
    send(typed, {
      onSuccess: () => {
        toast({ kind: 'good', text: t(admin ? 'saved' : 'invited', { name: typed.name }) });
        onClose();
      },
    });
  });
  const refused = save.error instanceof ApiProblem ? save.error : undefined;
  const isTaken = isProblem(save.error, 'admin-email-taken');
  const texts = { failed: t('failed'), network: t('noAnswer') };
  const required = { required: t('required'), setValueAs: (value: string) => value.trim() };
  const errorOf = (name: keyof Typed) => errors[name]?.message ?? fieldTexts(refused, name);
  return (
    <Dialog open onClose={onClose} title={admin ? t('editTitle', { name: admin.name }) : t('addTitle')}>
      <form noValidate className={shared.form} onSubmit={(event) => void onSubmit(event)}>
        <p>{t(leadOf(admin, isMe))}</p>
        {save.error && !isTaken && (
          <Alert kind="wrong">
            {isProblem(save.error, 'precondition-failed')
              ? t('changedMeanwhile')
              : problemText(save.error, { ...texts, marked: Object.keys(form.getValues()) })}
          </Alert>
        )}
        <Field
          label={t('name')}
          maxLength={120}
          error={errorOf('name')}
          {...form.register('name', required)}
        />
        {!admin && (
          <div className={shared.pair}>
            <Field
              label={t('email')}
              type="email"
              maxLength={254}
              error={errorOf('email') ?? (isTaken ? problemText(save.error, texts) : undefined)}
              {...form.register('email', { ...required, pattern: { value: EMAIL, message: t('noEmail') } })}
            />
            <SelectField label={t('language')} {...form.register('language')}>
              {LANGUAGES.map((language) => (
                <option key={language} value={language}>
                  {common(`language.${language}`)}
                </option>
              ))}
            </SelectField>
          </div>
        )}
        {!isMe && (
          <fieldset className={styles.roles} aria-describedby={`${id}-role`}>
            <legend>{t('role')}</legend>
            {ADMIN_ROLES.map((role) => (
              <label key={role} className={styles.role}>
                <input type="radio" value={role} {...form.register('role', { required: t('noRole') })} />
                <span>
                  <strong>{roles(`roles.${role}`)}</strong>
                  <br />
                  <span className="quiet">{t(`may.${role}`)}</span>
                </span>
              </label>
            ))}
            <FieldError id={`${id}-role`}>{errorOf('role')}</FieldError>
          </fieldset>
        )}
        <div className={shared['table-actions']}>
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button type="submit" working={save.isPending && t('working')}>
            {admin ? t('save') : t('invite')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
