import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Alert } from '../../design/components/Alert.tsx';
import { Button } from '../../design/components/Button.tsx';
import type { PortalCall } from '../../session/session.ts';
import shared from '../shared/shared.module.css';
import styles from './Statements.module.css';
import { type Decision, type Row, useRefusal, type useRowDecision } from './statements.ts';

export interface DecideFormProps {
  call: PortalCall;
  rows: readonly Row[];
  onClose: () => void;
  decision: ReturnType<typeof useRowDecision>;
  onDecide: (decision: Decision) => void;
}

/** One decision on rows: its fields, the refusal, Cancel and the button that sends it. */
export function DecideForm({
  decision,
  submit,
  onSubmit,
  onClose,
  children,
}: Pick<DecideFormProps, 'decision' | 'onClose'> & {
  submit: string;
  onSubmit: () => void;
  children: ReactNode;
}) {
  const { t } = useTranslation('statements');
  const { t: common } = useTranslation();
  const { refusal } = useRefusal();
  return (
    <form
      className={shared.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
      {decision.isError && <Alert kind="wrong">{refusal(decision.error)}</Alert>}
      <div className={styles.acts}>
        <Button onClick={onClose}>{common('cancel')}</Button>
        <Button type="submit" look="accent" working={decision.isPending && t('working')}>
          {submit}
        </Button>
      </div>
    </form>
  );
}

export const idsOf = (rows: readonly Row[]) => rows.map(({ rowId }) => rowId);
