import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { ApiProblem, isProblem } from '../../api/problem.ts';
import { Alert } from '../../design/components/Alert.tsx';
import { Button } from '../../design/components/Button.tsx';
import { asLanguage } from '../../i18n/languages.ts';
import type { PortalCall } from '../../session/session.ts';
import { useProblemText } from '../../session/problem-text.ts';
import { draftOf, forgetDraft, keepDraft } from './drafts.ts';
import {
  baseOf,
  EDIT_FIELDS,
  type EditField,
  editOf,
  type EditValues,
  isTouched,
  merge,
  type Meanwhile,
} from './edit.ts';
import { editSchema } from './edit-schema.ts';
import { EditFields } from './EditFields.tsx';
import styles from './EditForm.module.css';
import { Changes } from './Changes.tsx';
import type { OrderDetails } from './orders.ts';

interface Props {
  call: PortalCall;
  order: OrderDetails;
  /** Key of the kept draft. */
  draft: string;
  onSaved: (order: OrderDetails) => void;
  onCancel: () => void;
}

/** Edit mode of an order: product spec section 5. Saves only over the version that was read. */
export function EditForm({ call, order, draft, onSaved, onCancel }: Props) {
  const { t, i18n } = useTranslation('admin');
  const language = asLanguage(i18n.language) ?? 'en';
  const { t: common } = useTranslation();
  const problemText = useProblemText();
  const [former] = useState(() => draftOf(draft));
  const [base, setBase] = useState(() => former?.base ?? baseOf(order, language));
  const resolver = useMemo(() => zodResolver(editSchema(language, base.values)), [language, base]);
  const [meanwhile, setMeanwhile] = useState<Meanwhile[]>([]);
  const form = useForm<EditValues>({
    defaultValues: former?.typed ?? base.values,
    resolver,
    mode: 'onTouched',
  });
  useKeptDraft(form.subscribe, draft, base);

  const save = useMutation({
    mutationFn: async (typed: EditValues) => {
      const body = editOf(base.values, typed, language);
      if (!body) return order;
      const options = { params: { id: order._id }, body, ifMatch: String(base.version) };
      return (await call('PUT /api/admin/orders/{id}', options)).order;
    },
    onSuccess: onSaved,
    onError: async (error, typed) => {
      if (isProblem(error, 'precondition-failed')) {
        const { order: latest } = await call('GET /api/admin/orders/{id}', { params: { id: order._id } });
        const fresh = baseOf(latest, language);
        const merged = merge(base.values, fresh.values, typed);
        setBase(fresh);
        setMeanwhile(merged.meanwhile);
        for (const field of EDIT_FIELDS) form.setValue(field, merged.values[field]);
        keepDraft(draft, { base: fresh, typed: merged.values });
      }
      for (const { field, message } of fieldsOf(error)) form.setError(field, { message });
    },
  });
  const conflict = isProblem(save.error, 'precondition-failed');
  const failed = t('edit.failed');
  const sentence =
    save.error &&
    problemText(save.error, { failed, network: failed, marked: [...EDIT_FIELDS, 'coordinates'] });
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => void form.handleSubmit((typed) => save.mutate(typed))(event)}
    >
      {former && !save.isError && <Alert kind="note">{t('edit.restored')}</Alert>}
      <EditFields form={form} ownCurrency={order.currency} />
      {save.isError && (
        <Alert kind="wrong">
          <p>{sentence === failed || conflict ? failed : `${failed}. ${sentence}`}</p>
          {conflict && (
            <>
              <p>{t('edit.meanwhile')}</p>
              <Changes changes={meanwhile} />
              <p>{t('edit.again')}</p>
            </>
          )}
        </Alert>
      )}
      <div className={styles.foot}>
        <Button onClick={onCancel}>{common('cancel')}</Button>
        <Button type="submit" look="accent" working={save.isPending && t('edit.saving')}>
          {t('edit.save')}
        </Button>
      </div>
    </form>
  );
}

/** Keeps the draft outside the form, and warns before the page unloads. */
function useKeptDraft(
  subscribe: ReturnType<typeof useForm<EditValues>>['subscribe'],
  draft: string,
  base: ReturnType<typeof baseOf>,
): void {
  useEffect(
    () =>
      subscribe({
        formState: { values: true },
        callback: ({ values }) => {
          if (isTouched(base.values, values)) keepDraft(draft, { base, typed: { ...values } });
          else forgetDraft(draft);
        },
      }),
    [subscribe, draft, base],
  );
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (draftOf(draft)) event.preventDefault();
    };
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [draft]);
}

function fieldsOf(error: unknown): { field: EditField; message: string }[] {
  if (!(error instanceof ApiProblem)) return [];
  return error.fields.flatMap(({ path, message }) => {
    const field = path.startsWith('coordinates.') ? path.slice('coordinates.'.length) : path;
    const own = EDIT_FIELDS.find((name) => name === field);
    return own ? [{ field: own, message }] : [];
  });
}
