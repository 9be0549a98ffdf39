import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiProblem } from '../../api/problem.ts';
import { Alert } from '../../design/components/Alert.tsx';
import { Button } from '../../design/components/Button.tsx';
import { Field } from '../../design/components/Field.tsx';
import { useProblemText } from '../../session/problem-text.ts';
import shared from '../shared/shared.module.css';
import { useFieldTexts } from '../shared/field-texts.ts';
import styles from './Security.module.css';

type Name = 'currentPassword' | 'newPassword' | 'code';

const INPUTS: Record<Name, object> = {
  currentPassword: { type: 'password', autoComplete: 'current-password', maxLength: 200 },
  newPassword: { type: 'password', autoComplete: 'new-password', maxLength: 200 },
  code: { inputMode: 'text', autoComplete: 'one-time-code', autoCapitalize: 'none', maxLength: 40 },
};
const MIN_PASSWORD = 10;

interface Props<Wanted extends Name> {
  fields: readonly Wanted[];
  submit: string;
  destructive?: boolean;
  /** For a form that appears on request. */
  takesFocus?: boolean;
  isWorking: boolean;
  error: unknown;
  onSubmit: (typed: Record<Wanted, string>) => void;
  onCancel?: () => void;
  children?: ReactNode;
}

/** A code of an authenticator app; recovery codes are longer. */
const SIX_DIGITS = /^\d{6}$/;

/** Form of one step with a password or code; a refusal keeps the input. */
export function StepForm<Wanted extends Name>(props: Props<Wanted>) {
  const { submit, destructive = false, takesFocus = false, isWorking, error } = props;
  const { onSubmit, onCancel, children } = props;
  const fields: readonly Name[] = props.fields;
  const { t } = useTranslation('panels');
  const { t: common } = useTranslation();
  const problemText = useProblemText();
  const fieldTexts = useFieldTexts();
  const [typed, setTyped] = useState<Record<string, string>>({});
  const [isAsked, setAsked] = useState(false);
  const first = useRef<HTMLInputElement>(null);
  // Once a dialog around it has opened, which takes the focus.
  useEffect(() => {
    if (takesFocus) first.current?.focus();
  }, [takesFocus]);
  const faultOf = (name: Name) => {
    const text = typed[name] ?? '';
    if (text.trim() === '') return t('workers.required');
    if (name === 'newPassword' && text.length < MIN_PASSWORD)
      return t('security.tooShort', { least: MIN_PASSWORD });
    return undefined;
  };
  const send = (values: Record<string, string>) =>
    onSubmit(Object.fromEntries(fields.map((name) => [name, values[name]!])) as Record<Wanted, string>);
  const onType = (name: Name, value: string) => {
    const next = { ...typed, [name]: value };
    setTyped(next);
    if (name === 'code' && fields.length === 1 && SIX_DIGITS.test(value.trim()) && !isWorking) send(next);
  };
  const refused = error instanceof ApiProblem ? error : undefined;
  const isBesideField = fields.some((name) => fieldTexts(refused, name));
  return (
    <form
      noValidate
      className={shared.form}
      onSubmit={(event) => {
        event.preventDefault();
        setAsked(true);
        if (isWorking || fields.some(faultOf)) return;
        send(typed);
      }}
    >
      {children}
      {error !== null && error !== undefined && !isBesideField && (
        <Alert kind="wrong">
          {problemText(error, { failed: t('security.failed'), network: t('workers.noAnswer') })}
        </Alert>
      )}
      {fields.map((name, at) => (
        <Field
          key={name}
          ref={at === 0 ? first : undefined}
          label={t(`security.fields.${name}`)}
          hint={name === 'currentPassword' ? undefined : t(`security.hints.${name}`, { least: MIN_PASSWORD })}
          error={(isAsked && faultOf(name)) || fieldTexts(refused, name)}
          value={typed[name] ?? ''}
          onChange={(event) => onType(name, event.target.value)}
          {...INPUTS[name]}
        />
      ))}
      <div className={styles.acts}>
        {onCancel && <Button onClick={onCancel}>{common('cancel')}</Button>}
        <Button
          type="submit"
          look={destructive ? 'solid-destructive' : onCancel ? 'accent' : 'secondary'}
          working={isWorking && t('decision.working')}
        >
          {submit}
        </Button>
      </div>
    </form>
  );
}
