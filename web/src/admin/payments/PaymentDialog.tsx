import { bankNameOf } from '@arboleda/contracts/payment-method.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isProblem } from '../../api/problem.ts';
import { Alert } from '../../design/components/Alert.tsx';
import { Button, ButtonLink } from '../../design/components/Button.tsx';
import { Dialog } from '../../design/components/Dialog.tsx';
import { type Fact, Facts } from '../../design/components/Facts.tsx';
import { Money } from '../../design/components/Money.tsx';
import { useToast } from '../../design/components/Toasts.tsx';
import { useFormats } from '../../i18n/format.ts';
import type { PortalCall } from '../../session/session.ts';
import shared from '../shared/shared.module.css';
import { FactsSkeleton } from '../shared/Skeletons.tsx';
import { RefundDialog } from '../refund/RefundDialog.tsx';
import { outcomeKey, type RefundTarget, targetOf } from '../refund/refund.ts';
import styles from './Payment.module.css';
import { Disputes, Packages, Refunds, ToReturn } from './PaymentRecords.tsx';
import { PaymentState } from './PaymentState.tsx';
import { type Payment, usePayment } from './payments.ts';
import { useMay } from '../permissions.tsx';

interface Section {
  name: 'customer' | 'payment' | 'fee';
  rows: Fact[];
}

/** Known facts of a payment in sections; unknown facts have no row. */
function usePaymentFacts(payment: Payment): Section[] {
  const { t } = useTranslation('panels');
  const { t: common } = useTranslation();
  const formats = useFormats();
  const { card, paidAt, received, fee, quote, transactionId, currency } = payment;
  const when = (at: string) => formats.moment(at);
  const method = card
    ? t('payments.card', {
        brand: card.brand.charAt(0).toUpperCase() + card.brand.slice(1),
        last4: card.last4,
      })
    : t(`methods.${payment.method.kind}`, { bank: bankNameOf(payment.method) });
  const sections: { name: Section['name']; rows: (Fact | false | undefined)[] }[] = [
    {
      name: 'customer',
      rows: [
        { label: t('facts.name'), value: payment.customerName },
        { label: t('facts.email'), value: payment.customerEmail },
        { label: t('payments.language'), value: common(`language.${payment.language}`) },
        {
          label: t('facts.trees'),
          value: `${formats.number(payment.trees)}, ${t(`packages.${payment.packageType}`)}`,
        },
      ],
    },
    {
      name: 'payment',
      rows: [
        { label: t('facts.method'), value: method },
        { label: t('payments.begun'), value: when(payment.createdAt) },
        paidAt !== undefined && { label: t('payments.paid'), value: when(paidAt) },
        received && {
          label: t('payments.received'),
          value: formats.money(received.amount, received.currency),
        },
        transactionId !== undefined && { label: t('payments.transaction'), value: transactionId },
        quote &&
          quote.rate !== 1 && {
            label: t('payments.rate'),
            value: t('payments.rateOf', { rate: formats.number(quote.rate), currency }),
          },
      ],
    },
    {
      name: 'fee',
      rows: [
        fee && { label: t('payments.fee'), value: formats.money(fee.amount, fee.currency) },
        fee?.exchangeRate !== undefined && {
          label: t('payments.rate'),
          value: t('payments.feeRate', {
            rate: formats.rate(fee.exchangeRate),
            to: fee.currency,
            from: currency,
          }),
        },
        fee && { label: t('payments.net'), value: formats.money(fee.netAmount, fee.currency) },
      ],
    },
  ];
  return sections
    .map(({ name, rows }) => ({ name, rows: rows.filter((row): row is Fact => Boolean(row)) }))
    .filter(({ rows }) => rows.length > 0);
}

interface Props {
  call: PortalCall;
  id: string | null;
  onClose: () => void;
}

export function PaymentDialog({ call, id, onClose }: Props) {
  const { t } = useTranslation('panels');
  const { t: admin } = useTranslation('admin');
  const { t: common } = useTranslation();
  const { data, isPending, error, refetch } = usePayment(call, id);
  const toast = useToast();
  const formats = useFormats();
  const may = useMay();
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
            {payment && payment.leftAmount > 0 && may('refunds:write') && (
              <Button look="destructive" onClick={() => setRefunding(targetOf(payment))}>
                {t('payments.refund')}
              </Button>
            )}
          </>
        }
      >
        {isPending && id !== null && <FactsSkeleton label={t('payments.loadingOne')} />}
        {error && !payment && (
          <Alert
            kind="wrong"
            action={!isMissing && <Button onClick={() => void refetch()}>{common('tryAgain')}</Button>}
          >
            {isMissing ? t('payments.missing') : t('payments.failedOne')}
          </Alert>
        )}
        {payment && <Details call={call} payment={payment} onRefund={setRefunding} />}
      </Dialog>
      {refunding && (
        <RefundDialog
          call={call}
          target={refunding}
          onClose={() => setRefunding(undefined)}
          onDone={(refund) => {
            setRefunding(undefined);
            const words = { amount: formats.money(refund.amount, refund.currency) };
            toast({ kind: 'good', text: admin(outcomeKey(refund), words) });
          }}
        />
      )}
    </>
  );
}

interface DetailsProps {
  call: PortalCall;
  payment: Payment;
  onRefund: (target: RefundTarget) => void;
}

function Details({ call, payment, onRefund }: DetailsProps) {
  const { t } = useTranslation('panels');
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
          <h3 className={shared.heading}>{t(`payments.sections.${name}`)}</h3>
          <Facts rows={rows} />
        </section>
      ))}
      <Refunds call={call} payment={payment} />
      <Disputes disputes={payment.disputes} />
      <Packages call={call} payment={payment} onRefund={onRefund} />
    </div>
  );
}
