import { useTranslation } from 'react-i18next';
import { Alert } from '../design/components/Alert.tsx';
import { Button } from '../design/components/Button.tsx';
import { useField } from './field.ts';
import type { StatusItem } from './outbox/item.ts';
import { refusalText } from './refusal.ts';
import { mayUndo } from './steps.ts';
import { type Assignment, stepsOf } from './tasks.ts';

/** Steps that wait or were refused. */
export function StepState({ assignment }: { assignment: Assignment }) {
  const { items } = useField();
  return stepsOf(assignment, items).map((step) => <OneStep key={step.id} step={step} />);
}

export function OneStep({ step }: { step: StatusItem }) {
  const { t, i18n } = useTranslation('worker');
  const { t: common } = useTranslation();
  const { outbox, items, sending, isOnline } = useField();
  const status = common(`status.${step.body.status}`);
  const remove = () => void outbox.remove(step.id);
  if (step.state.step === 'refused') {
    return (
      <Alert kind="wrong" action={<Button onClick={remove}>{t('step.remove')}</Button>}>
        <strong>{t('assignment.failed')}</strong>
        <p>{refusalText(step.state, i18n.language)}</p>
      </Alert>
    );
  }
  if (sending?.id === step.id) return <Alert kind="note">{t('step.sending', { status })}</Alert>;
  if (isOnline && step.attempts > 0) {
    return (
      <Alert kind="wrong" action={<Button onClick={outbox.retryNow}>{common('tryAgain')}</Button>}>
        <strong>{t('assignment.failed')}</strong>
        <p>{t('step.keptText', { status })}</p>
      </Alert>
    );
  }
  return (
    <Alert
      kind="offline"
      action={mayUndo(step, items, sending?.id) && <Button onClick={remove}>{t('step.takeBack')}</Button>}
    >
      {t('step.waiting', { status })}
    </Alert>
  );
}
