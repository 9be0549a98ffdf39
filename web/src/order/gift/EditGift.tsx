import type { Gift } from '@arboleda/contracts/gift.ts';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/client.ts';
import { ApiProblem } from '../../api/problem.ts';
import { Alert } from '../../design/components/Alert.tsx';
import { Button } from '../../design/components/Button.tsx';
import { Field } from '../../design/components/Field.tsx';
import { asLanguage } from '../../i18n/languages.ts';
import { useProblemText } from '../../session/problem-text.ts';
import { useSession } from '../../session/session.ts';
import {
  errorsOf,
  formOf,
  GIFT_PATHS,
  type GiftErrors,
  type GiftForm,
  giftOf,
  hasErrors,
  refusedFields,
} from './gift-form.ts';
import { GiftFields } from './GiftFields.tsx';
import type { Buyer, OwnGift } from './gifts.ts';
import styles from './gifts.module.css';

interface Props {
  gift: OwnGift;
  buyer: Buyer;
  name: string;
  trees: number;
  onSaved: (gift: OwnGift) => void;
  onCancel: () => void;
}

/** Everything may change until a gift is sent; after it came back, the address alone. */
export function EditGift({ gift, buyer, name, trees, onSaved, onCancel }: Props) {
  const { t, i18n } = useTranslation('gift');
  const { t: common } = useTranslation();
  const problemText = useProblemText();
  const session = useSession('customer');
  const form = useRef<HTMLFormElement>(null);
  const [typed, setTyped] = useState(() => formOf(asWritten(gift)));
  const [errors, setErrors] = useState<GiftErrors>({});
  const hasBounced = gift.state === 'bounced';
  const saving = useMutation({
    mutationFn: (wanted: Gift) =>
      'id' in buyer
        ? session.call('PUT /api/customers/orders/{id}/gift', {
            params: { id: buyer.id },
            body: { gift: wanted },
          })
        : call('PUT /api/track/{token}/gift', {
            params: { token: buyer.token },
            body: { email: buyer.email, gift: wanted },
          }),
    onSuccess: (answer) => onSaved(answer.gift),
    onError: (error) => {
      if (error instanceof ApiProblem) setErrors(refusedFields(error.fields, i18n.language));
    },
  });
  useEffect(() => form.current?.querySelector<HTMLElement>('input')?.focus(), []);
  useEffect(() => {
    if (hasErrors(errors)) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [errors]);

  const change = (part: Partial<GiftForm>) => {
    setTyped((before) => ({ ...before, ...part }));
    // A field that is being corrected is no longer marked.
    setErrors((before) => without(before, Object.keys(part)));
    if (saving.isError) saving.reset();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (saving.isPending) return;
    const found = errorsOf(typed, t, asLanguage(i18n.language) ?? 'en');
    const { recipientEmail } = found;
    const counting = hasBounced ? (recipientEmail ? { recipientEmail } : {}) : found;
    setErrors(counting);
    if (hasErrors(counting)) return;
    saving.mutate(
      hasBounced ? { ...asWritten(gift), recipientEmail: giftOf(typed).recipientEmail } : giftOf(typed),
    );
  };
  return (
    <form ref={form} noValidate className={styles.form} onSubmit={submit}>
      {hasBounced ? (
        <Field
          label={t('form.email')}
          hint={t('own.correctHint')}
          type="email"
          autoComplete="off"
          dir="ltr"
          maxLength={254}
          value={typed.recipientEmail}
          error={errors.recipientEmail}
          onChange={({ target }) => change({ recipientEmail: target.value })}
        />
      ) : (
        <GiftFields
          gift={typed}
          errors={errors}
          onChange={change}
          buyer={{ name, email: 'email' in buyer ? buyer.email : '' }}
          trees={trees}
        />
      )}
      {saving.isError && !hasErrors(errors) && (
        <Alert kind="wrong">
          {problemText(saving.error, {
            failed: t('own.failed'),
            network: t('own.failed'),
            marked: GIFT_PATHS,
          })}
        </Alert>
      )}
      <div className={styles.actions}>
        <Button type="submit" look="accent" working={saving.isPending && t('own.saving')}>
          {t(hasBounced ? 'own.sendThere' : 'own.save')}
        </Button>
        <Button onClick={onCancel}>{common('cancel')}</Button>
      </div>
    </form>
  );
}

const asWritten = ({
  recipientName,
  recipientEmail,
  message,
  language,
  card,
  deliverOn,
  timeZone,
}: OwnGift): Gift => ({ recipientName, recipientEmail, message, language, card, deliverOn, timeZone });

const without = (errors: GiftErrors, fields: readonly string[]): GiftErrors =>
  Object.fromEntries(Object.entries(errors).filter(([field]) => !fields.includes(field)));
