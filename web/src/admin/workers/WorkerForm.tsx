import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { ApiProblem, isProblem } from '../../api/problem.ts';
import { Alert } from '../../design/components/Alert.tsx';
import { Button } from '../../design/components/Button.tsx';
import { Dialog } from '../../design/components/Dialog.tsx';
import { Field, SelectField } from '../../design/components/Field.tsx';
import { useToast } from '../../design/components/Toasts.tsx';
import { LANGUAGES, type Language } from '../../i18n/languages.ts';
import { useProblemText } from '../../session/problem-text.ts';
import type { PortalCall } from '../../session/session.ts';
import shared from '../shared/shared.module.css';
import { readCount } from '../../i18n/typed-numbers.ts';
import { useFieldTexts } from '../shared/field-texts.ts';
import { useOnce } from '../shared/files.tsx';
import { useWorkerAction, type Worker } from './workers.ts';

interface Typed {
  name: string;
  email: string;
  region: string;
  capacityTrees: string;
  language: Language;
  code: string;
}

interface Props {
  call: PortalCall;
  /** Undefined to add a worker. */
  worker: Worker | undefined;
  onClose: () => void;
}

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const USUAL_CAPACITY = '500';

/** Adds a worker, who is invited by email, or edits one. */
export function WorkerForm({ call, worker, onClose }: Props) {
  const { t } = useTranslation('panels');
  const { t: common } = useTranslation();
  const toast = useToast();
  const problemText = useProblemText();
  const fieldTexts = useFieldTexts();
  const form = useForm<Typed>({
    defaultValues: {
      name: worker?.name ?? '',
      email: worker?.email ?? '',
      region: worker?.region ?? '',
      capacityTrees: String(worker?.capacityTrees ?? USUAL_CAPACITY),
      language: worker?.language ?? 'es',
      code: worker?.workerId ?? '',
    },
  });
  const { errors } = form.formState;
  const save = useWorkerAction(({ code, capacityTrees, ...rest }: Typed) => {
    const input = { ...rest, capacityTrees: readCount(capacityTrees)! };
    if (worker)
      return call('PUT /api/admin/workers/{id}', {
        params: { id: worker.id },
        body: input,
        ifMatch: String(worker.revision),
      });
    return call('POST /api/admin/workers', { body: { ...input, ...(code && { code }) } });
  });
  const send = useOnce(save);
  const onSubmit = form.handleSubmit((typed) => {
    send(typed, {
      onSuccess: () => {
        toast({ kind: 'good', text: t(worker ? 'workers.saved' : 'workers.invited', { name: typed.name }) });
        onClose();
      },
    });
  });
  const refused = save.error instanceof ApiProblem ? save.error : undefined;
  const taken = (type: string) => isProblem(save.error, type);
  const required = { required: t('workers.required'), setValueAs: (value: string) => value.trim() };
  const errorOf = (name: keyof Typed) => errors[name]?.message ?? fieldTexts(refused, name);
  return (
    <Dialog
      open
      onClose={onClose}
      title={worker ? t('workers.editTitle', { name: worker.name }) : t('workers.addTitle')}
    >
      <form noValidate className={shared.form} onSubmit={(event) => void onSubmit(event)}>
        <p>{worker ? t('workers.editText') : t('workers.addText')}</p>
        {refused && !taken('worker-email-taken') && !taken('worker-code-taken') && (
          <Alert kind="wrong">
            {taken('precondition-failed')
              ? t('workers.changedMeanwhile')
              : problemText(refused, {
                  failed: t('workers.failed'),
                  network: t('workers.noAnswer'),
                  marked: Object.keys(form.getValues()),
                })}
          </Alert>
        )}
        <Field
          label={t('facts.name')}
          maxLength={120}
          error={errorOf('name')}
          {...form.register('name', required)}
        />
        <Field
          label={t('facts.email')}
          type="email"
          maxLength={254}
          error={errorOf('email') ?? (taken('worker-email-taken') ? problemText(refused, NONE) : undefined)}
          {...form.register('email', {
            ...required,
            pattern: { value: EMAIL, message: t('workers.noEmail') },
          })}
        />
        <div className={shared.pair}>
          <Field
            label={t('workers.region')}
            maxLength={80}
            error={errorOf('region')}
            {...form.register('region', required)}
          />
          <Field
            label={t('workers.capacity')}
            hint={t('workers.capacityHint')}
            inputMode="numeric"
            maxLength={9}
            error={errorOf('capacityTrees')}
            {...form.register('capacityTrees', {
              ...required,
              validate: (value) => (isCapacity(readCount(value)) ? true : t('workers.noCapacity')),
            })}
          />
        </div>
        <div className={shared.pair}>
          <SelectField label={t('workers.language')} {...form.register('language')}>
            {LANGUAGES.map((language) => (
              <option key={language} value={language}>
                {common(`language.${language}`)}
              </option>
            ))}
          </SelectField>
          {!worker && (
            <Field
              label={t('workers.code')}
              note={t('decision.optional')}
              hint={t('workers.codeHint')}
              maxLength={20}
              error={errorOf('code') ?? (taken('worker-code-taken') ? problemText(refused, NONE) : undefined)}
              {...form.register('code', {
                setValueAs: (value: string) => value.trim(),
                pattern: { value: /^([A-Za-z0-9][A-Za-z0-9-]*)?$/, message: t('workers.noCode') },
              })}
            />
          )}
        </div>
        <div className={shared['table-actions']}>
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button type="submit" working={save.isPending && t('decision.working')}>
            {worker ? t('workers.save') : t('workers.invite')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

const NONE = { failed: '', network: '' };

const isCapacity = (trees: number | undefined): boolean =>
  trees !== undefined && trees >= 0 && trees <= 1_000_000;
