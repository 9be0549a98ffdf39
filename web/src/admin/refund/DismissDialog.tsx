import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Alert } from '../../design/components/Alert.tsx';
import { Button } from '../../design/components/Button.tsx';
import { Dialog } from '../../design/components/Dialog.tsx';
import { TextField } from '../../design/components/Field.tsx';
import { useFormats } from '../../i18n/format.ts';
import { useProblemText } from '../../session/problem-text.ts';
import type { PortalCall } from '../../session/session.ts';
import { type Refund, useDismissal } from './refund.ts';
import styles from './RefundDialog.module.css';

interface Props {
  call: PortalCall;
  orderId: string;
  refund: Refund;
  onClose: () => void;
}

/** Dismisses a failed refund that the donor gives up: it leaves the list of owed money. */
export function DismissDialog({ call, orderId, refund, onClose }: Props) {
  const { t } = useTranslation('admin');
  const { t: common } = useTranslation();
  const formats = useFormats();
  const problemText = useProblemText();
  const [reason, setReason] = useState('');
  const [asked, setAsked] = useState(false);
  const dismissal = useDismissal(call, orderId, onClose);
  const isEmpty = reason.trim() === '';
  return (
    <Dialog open onClose={onClose} title={t('dismiss.title')}>
      <form
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setAsked(true);
          if (!isEmpty && !dismissal.isPending)
            dismissal.mutate({ refundId: refund.refundId, reason: reason.trim() });
        }}
      >
        <p>{t('dismiss.text', { amount: formats.money(refund.amount, refund.currency) })}</p>
        <TextField
          label={t('refund.reason')}
          rows={2}
          maxLength={1000}
          value={reason}
          error={asked && isEmpty && t('dismiss.noReason')}
          onChange={(event) => setReason(event.target.value)}
        />
        {dismissal.error && (
          <Alert kind="wrong">
            {problemText(dismissal.error, { failed: t('dismiss.failed'), network: t('dismiss.failed') })}
          </Alert>
        )}
        <div className={styles.acts}>
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button type="submit" working={dismissal.isPending && t('dismiss.working')}>
            {t('dismiss.submit')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
