import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Alert } from '../../design/components/Alert.tsx';
import { Button } from '../../design/components/Button.tsx';
import { Dialog } from '../../design/components/Dialog.tsx';
import { TextField } from '../../design/components/Field.tsx';
import { useFormats } from '../../i18n/format.ts';
import { useProblemText } from '../../session/problem-text.ts';
import type { PortalCall } from '../../session/session.ts';
import { useOrderPayment } from '../payments/payments.ts';
import { useMay } from '../permissions.tsx';
import { isSending, type RefundTarget, refundsOf, targetsOf } from '../refund/refund.ts';
import { RefundDialog } from '../refund/RefundDialog.tsx';
import { SendingRefunds } from '../refund/SendingRefunds.tsx';
import styles from '../refund/RefundDialog.module.css';
import notice from './WithdrawalNotice.module.css';
import { KEYS, type OrderDetails } from './orders.ts';

interface Props {
  call: PortalCall;
  order: OrderDetails;
}

/** The donor withdraws: a refund of all the money answers it, unless they asked the team to keep the order. */
export function WithdrawalNotice({ call, order }: Props) {
  const { t } = useTranslation('admin');
  const formats = useFormats();
  const may = useMay();
  const [now] = useState(() => Date.now());
  const payment = useOrderPayment(call, order._id);
  const [refunding, setRefunding] = useState<RefundTarget>();
  const [isKeeping, setKeeping] = useState(false);
  const { withdrawal } = order;
  if (!withdrawal) return null;
  const { requestedAt, refundBy, answeredAt, reason } = withdrawal;
  const date = formats.colombianDay(requestedAt);
  if (answeredAt)
    return (
      <Alert kind="note">{t('withdrawal.answered', { date, day: formats.colombianDay(answeredAt) })}</Alert>
    );
  // The trees first; their refund refunds the packages, unless that fails.
  const target = payment.data && targetsOf(payment.data).find(({ leftAmount }) => leftAmount > 0);
  const refunds = payment.data ? refundsOf(payment.data) : [];
  const isBegun = withdrawal.isRefundBegun || Boolean(order.refundedAmount) || refunds.some(isSending);
  const isOverdue = Date.parse(refundBy) < now;
  return (
    <>
      <Alert kind="wrong">
        <p>
          {t(isOverdue ? 'withdrawal.overdue' : 'withdrawal.open', {
            date,
            until: formats.colombianDay(refundBy),
          })}
        </p>
        {reason && <p dir="auto">{t('withdrawal.reason', { reason })}</p>}
        <SendingRefunds call={call} orderId={order._id} refunds={refunds} />
        {may('refunds:write') && (target || !isBegun) && (
          <div className={notice.acts}>
            {!isBegun && (
              <Button size="small" onClick={() => setKeeping(true)}>
                {t('withdrawal.keep')}
              </Button>
            )}
            {target && (
              <Button size="small" look="solid-destructive" onClick={() => setRefunding(target)}>
                {t('withdrawal.refund', { amount: formats.money(target.leftAmount, target.currency) })}
              </Button>
            )}
          </div>
        )}
      </Alert>
      {refunding && (
        <RefundDialog
          call={call}
          target={refunding}
          because={t('withdrawal.because')}
          onClose={() => setRefunding(undefined)}
          onDone={() => setRefunding(undefined)}
        />
      )}
      {isKeeping && <KeepDialog call={call} id={order._id} onClose={() => setKeeping(false)} />}
    </>
  );
}

function KeepDialog({ call, id, onClose }: { call: PortalCall; id: string; onClose: () => void }) {
  const { t } = useTranslation('admin');
  const { t: common } = useTranslation();
  const problemText = useProblemText();
  const queries = useQueryClient();
  const [reason, setReason] = useState('');
  const [asked, setAsked] = useState(false);
  const isEmpty = reason.trim() === '';
  const keeping = useMutation({
    mutationFn: () =>
      call('POST /api/admin/orders/{id}/withdrawal/retract', {
        params: { id },
        body: { reason: reason.trim() },
      }),
    onSuccess: ({ order }) => {
      queries.setQueryData(KEYS.part(id, 'details'), order);
      onClose();
    },
    onSettled: () => queries.invalidateQueries({ queryKey: KEYS.order(id) }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setAsked(true);
    if (!isEmpty && !keeping.isPending) keeping.mutate();
  };
  return (
    <Dialog open onClose={onClose} title={t('withdrawal.keepTitle')}>
      <form className={styles.form} noValidate onSubmit={submit}>
        <p>{t('withdrawal.keepText')}</p>
        <TextField
          label={t('refund.reason')}
          rows={2}
          maxLength={1000}
          value={reason}
          error={asked && isEmpty && t('withdrawal.noReason')}
          onChange={(event) => setReason(event.target.value)}
        />
        {keeping.error && (
          <Alert kind="wrong">
            {problemText(keeping.error, {
              failed: t('withdrawal.failed'),
              network: t('withdrawal.failed'),
            })}
          </Alert>
        )}
        <div className={styles.acts}>
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button type="submit" look="accent" working={keeping.isPending && t('withdrawal.keeping')}>
            {t('withdrawal.keep')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
