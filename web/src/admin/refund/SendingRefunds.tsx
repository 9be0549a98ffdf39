import { useTranslation } from 'react-i18next';
import { Alert } from '../../design/components/Alert.tsx';
import { Button } from '../../design/components/Button.tsx';
import { useFormats } from '../../i18n/format.ts';
import { useProblemText } from '../../session/problem-text.ts';
import type { PortalCall } from '../../session/session.ts';
import { useMay } from '../permissions.tsx';
import { isSending, type Refund, useSettlement } from './refund.ts';
import styles from './RefundDialog.module.css';

interface Props {
  call: PortalCall;
  orderId: string;
  refunds: readonly Refund[];
}

/** Refunds that an admin is sending by bank transfer: they are noted as sent, or nothing was sent after all. */
export const SendingRefunds = ({ call, orderId, refunds }: Props) =>
  refunds
    .filter(isSending)
    .map((refund) => <Sending key={refund.refundId} call={call} orderId={orderId} refund={refund} />);

function Sending({ call, orderId, refund }: Omit<Props, 'refunds'> & { refund: Refund }) {
  const { t } = useTranslation('admin');
  const formats = useFormats();
  const problemText = useProblemText();
  const may = useMay();
  const settlement = useSettlement(call, orderId);
  const amount = formats.money(refund.amount, refund.currency);
  const settle = (sent: boolean) => {
    if (!settlement.isPending) settlement.mutate({ refundId: refund.refundId, sent });
  };
  const isWorking = (sent: boolean) =>
    settlement.isPending && settlement.variables.sent === sent && t('sending.working');
  return (
    <div className={styles.form}>
      <p>
        {t('sending.by', { name: refund.by?.name ?? '', amount, since: formats.moment(refund.createdAt) })}
      </p>
      {refund.debit && (
        <p>
          <strong>
            {t('sending.debit', {
              day: formats.calendarDay(refund.debit.day),
              number: refund.debit.number ?? '',
            }).trim()}
          </strong>
        </p>
      )}
      {settlement.error && (
        <Alert kind="wrong">
          {problemText(settlement.error, { failed: t('sending.failed'), network: t('sending.failed') })}
        </Alert>
      )}
      {may('refunds:write') && (
        <div className={styles.acts}>
          <Button size="small" working={isWorking(false)} onClick={() => settle(false)}>
            {t('sending.notSent')}
          </Button>
          <Button size="small" look="accent" working={isWorking(true)} onClick={() => settle(true)}>
            {t('sending.sent', { amount })}
          </Button>
        </div>
      )}
    </div>
  );
}
