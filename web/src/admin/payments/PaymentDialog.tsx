import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isProblem } from '../../api/problem.ts';
import { Alert } from '../../design/components/Alert.tsx';
import { Button, ButtonLink } from '../../design/components/Button.tsx';
import { Dialog } from '../../design/components/Dialog.tsx';
import { Facts } from '../../design/components/Facts.tsx';
import { Money } from '../../design/components/Money.tsx';
import { Skeleton } from '../../design/components/Skeleton.tsx';
import { useToast } from '../../design/components/Toasts.tsx';
import { useFormats } from '../../i18n/format.ts';
import type { PortalCall } from '../../session/session.ts';
import { type RefundTarget, targetOf } from '../refund/refund.ts';
import { RefundDialog } from '../refund/RefundDialog.tsx';
import desk from '../desk/desk.module.css';
import styles from './Payment.module.css';
import { PaymentState } from './PaymentState.tsx';
import { type Payment, usePayment } from './payments.ts';
import { Disputes, Packages, Refunds, ToReturn } from './WhatHappened.tsx';
import { usePaymentFacts } from './payment-facts.ts';

interface Props {
  call: PortalCall;
  /** Null closes the dialog. */
  id: string | null;
  onClose: () => void;
}

/** One payment with all that happened to its money. */
export function PaymentDialog({ call, id, onClose }: Props) {
  const { t } = useTranslation('desk');
  const { t: admin } = useTranslation('admin');
  const { t: common } = useTranslation();
  const { data, isPending, error, refetch } = usePayment(call, id);
  const toast = useToast();
  const formats = useFormats();
  const [refunding, setRefunding] = useState<RefundTarget>();
  const payment = data?.payment;
  const isMissing = isProblem(error, 'not-found') || isProblem(error, 'validation-failed');
  return (
    <>
      <Dialog
        open={id !== null}
        onClose={onClose}
        width="wide"
        title={payment ? t('payments.one', { id: payment.shortId }) : t('payments.oneUnknown')}
        actions={
          <>
            <Button onClick={onClose}>{common('close')}</Button>
            {payment && (
              <ButtonLink to={`?view=orders&order=${payment.orderId}`}>{t('payments.toOrder')}</ButtonLink>
            )}
            {payment && payment.leftAmount > 0 && (
              <Button look="destructive" onClick={() => setRefunding(targetOf(payment))}>
                {t('payments.refund')}
              </Button>
            )}
          </>
        }
      >
        {isPending && id !== null && <Skeleton label={t('payments.loadingOne')} lines={8} />}
        {error && !payment && (
          <Alert
            kind="wrong"
            action={!isMissing && <Button onClick={() => void refetch()}>{common('tryAgain')}</Button>}
          >
            {isMissing ? t('payments.missing') : t('payments.failedOne')}
          </Alert>
        )}
        {payment && <Details payment={payment} onRefund={setRefunding} />}
      </Dialog>
      {refunding && (
        <RefundDialog
          call={call}
          target={refunding}
          onClose={() => setRefunding(undefined)}
          onDone={({ status, amount, currency }) => {
            setRefunding(undefined);
            const words = { amount: formats.money(amount, currency) };
            toast({
              kind: 'good',
              text: admin(status === 'succeeded' ? 'refund.done' : 'refund.started', words),
            });
          }}
        />
      )}
    </>
  );
}

function Details({ payment, onRefund }: { payment: Payment; onRefund: (target: RefundTarget) => void }) {
  const { t } = useTranslation('desk');
  const facts = usePaymentFacts(payment);
  return (
    <div className={styles.payment}>
      <div className={styles.head}>
        <PaymentState payment={payment} />
        <Money amountMinor={payment.amount} currency={payment.currency} size="large" />
      </div>
      {payment.failureReason && (
        <div className={styles.wide}>
          <Alert kind="note">
            {payment.status === 'rejected'
              ? t('payments.whyRejected', { why: payment.failureReason })
              : t('payments.lastFailure', { why: payment.failureReason })}
          </Alert>
        </div>
      )}
      <ToReturn payment={payment} />
      {facts.map(({ name, rows }) => (
        <section key={name}>
          <h3 className={desk.heading}>{t(`payments.sections.${name}`)}</h3>
          <Facts rows={rows} />
        </section>
      ))}
      <Refunds refunds={payment.refunds} />
      <Disputes disputes={payment.disputes} />
      <Packages payment={payment} onRefund={onRefund} />
    </div>
  );
}
