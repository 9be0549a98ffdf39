import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Alert } from '../../design/components/Alert.tsx';
import { Button } from '../../design/components/Button.tsx';
import { useFormats } from '../../i18n/format.ts';
import type { PortalCall } from '../../session/session.ts';
import { useOrderPayment } from '../payments/payments.ts';
import {
  outcomeKey,
  type Payment,
  type Refund,
  type RefundTarget,
  targetOf,
  targetsOf,
} from '../refund/refund.ts';
import { DismissDialog } from '../refund/DismissDialog.tsx';
import { RefundDialog } from '../refund/RefundDialog.tsx';
import { SendingRefunds } from '../refund/SendingRefunds.tsx';
import type { OrderDetails } from './orders.ts';
import styles from './parts.module.css';
import { Loaded, Section } from './Section.tsx';
import { useMay } from '../permissions.tsx';

interface Props {
  call: PortalCall;
  order: OrderDetails;
  /** Payment method as the order knows it. */
  children: ReactNode;
}

export function PaymentSection({ call, order, children }: Props) {
  const { t } = useTranslation('admin');
  const formats = useFormats();
  const [refunding, setRefunding] = useState<RefundTarget>();
  const [dismissing, setDismissing] = useState<Refund>();
  const [done, setDone] = useState<Refund>();
  const may = useMay();
  const payment = useOrderPayment(call, order._id);
  const begin = (target: RefundTarget) => {
    setDone(undefined);
    setRefunding(target);
  };
  return (
    <Section
      title={t('details.payment')}
      wide
      action={
        payment.data &&
        payment.data.leftAmount > 0 &&
        may('refunds:write') && (
          <Button size="small" look="text" onClick={() => begin(targetOf(payment.data))}>
            {t('refund.open')}
          </Button>
        )
      }
    >
      {children}
      {done && (
        <Alert kind="good">
          {t(outcomeKey(done), { amount: formats.money(done.amount, done.currency) })}
        </Alert>
      )}
      {may('payments:read') && (
        <Loaded query={payment} missing={t('payment.missing')}>
          {(known) => <Known call={call} payment={known} onRefund={begin} onDismiss={setDismissing} />}
        </Loaded>
      )}
      {dismissing && (
        <DismissDialog
          call={call}
          orderId={order._id}
          refund={dismissing}
          onClose={() => setDismissing(undefined)}
        />
      )}
      {refunding && (
        <RefundDialog
          call={call}
          target={refunding}
          onClose={() => setRefunding(undefined)}
          onDone={(refund) => {
            setDone(refund);
            setRefunding(undefined);
          }}
        />
      )}
    </Section>
  );
}

function Known({
  call,
  payment,
  onRefund,
  onDismiss,
}: {
  call: PortalCall;
  payment: Payment;
  onRefund: (target: RefundTarget) => void;
  onDismiss: (refund: Refund) => void;
}) {
  const { t } = useTranslation('admin');
  const formats = useFormats();
  const money = (amount: number, currency: string) => formats.money(amount, currency);
  const may = useMay();
  const targets = targetsOf(payment);
  return (
    <ul className={styles.on}>
      {payment.fee && (
        <li className={`${styles.line} ${styles.split}`}>
          <span className="quiet">{t('payment.fee')}</span>
          <span className="tabular">{money(payment.fee.amount, payment.fee.currency)}</span>
        </li>
      )}
      {payment.received && (
        <li className={`${styles.line} ${styles.split}`}>
          <span className="quiet">{t('payment.received')}</span>
          <span className="tabular">{money(payment.received.amount, payment.received.currency)}</span>
        </li>
      )}
      <RefundList call={call} orderId={payment.orderId} of={payment} onDismiss={onDismiss} />
      {payment.receiptUrl && (
        <li className={styles.line}>
          <a href={payment.receiptUrl} target="_blank" rel="noopener noreferrer">
            {t('payment.receipt')}
          </a>
        </li>
      )}
      {payment.photoPackages
        .filter(({ purchasedAt }) => purchasedAt !== undefined)
        .map((bought) => {
          const name = t(`growth.packages.${bought.photoPackageType}`);
          return (
            <li key={bought.purchaseId} className={styles.line}>
              <p className={styles.split}>
                <span>
                  <strong>{t('payment.package', { package: name })}</strong>{' '}
                  {bought.leftAmount > 0 && may('refunds:write') && (
                    <Button
                      size="small"
                      look="text"
                      aria-label={t('refund.openPackage', { package: name })}
                      onClick={() => onRefund(targets.find(({ id }) => id === bought.purchaseId)!)}
                    >
                      {t('refund.open')}
                    </Button>
                  )}
                </span>
                <strong className="tabular">{money(bought.amount, bought.currency)}</strong>
              </p>
              <ul>
                <RefundList call={call} orderId={payment.orderId} of={bought} onDismiss={onDismiss} />
              </ul>
            </li>
          );
        })}
    </ul>
  );
}

type Money = Pick<Payment, 'refunds' | 'toReturnAmount' | 'currency' | 'received'>;

/** Refunds of a payment and the amount still owed. */
function RefundList({
  call,
  orderId,
  of: { refunds, toReturnAmount, currency, received },
  onDismiss,
}: {
  call: PortalCall;
  orderId: string;
  of: Money;
  onDismiss: (refund: Refund) => void;
}) {
  const { t } = useTranslation('admin');
  const formats = useFormats();
  const may = useMay();
  return (
    <>
      {toReturnAmount > 0 && (
        <li className={`${styles.line} ${styles.wrong}`}>
          {t('payment.toReturn', { amount: formats.money(toReturnAmount, received?.currency ?? currency) })}
        </li>
      )}
      {refunds.map((refund) => (
        <li key={refund.refundId} className={styles.line}>
          <p className={styles.split}>
            <span>
              <strong>{t('payment.refund')}</strong>{' '}
              <span className="quiet">{t(`payment.states.${refund.status}`)}</span>
            </span>
            <strong className="tabular">{formats.money(refund.amount, refund.currency)}</strong>
          </p>
          <p>{refund.reason}</p>
          <p className="quiet">
            {refund.by?.name ? `${refund.by.name} · ` : ''}
            {formats.moment(refund.createdAt)}
          </p>
          <SendingRefunds call={call} orderId={orderId} refunds={[refund]} />
          {refund.failureReason && <p className={styles.wrong}>{refund.failureReason}</p>}
          {refund.dismissed && <p>{t('payment.dismissed', { reason: refund.dismissed.reason })}</p>}
          {toReturnAmount > 0 && refund.status === 'failed' && !refund.dismissed && may('refunds:write') && (
            <Button size="small" look="text" onClick={() => onDismiss(refund)}>
              {t('dismiss.open')}
            </Button>
          )}
        </li>
      ))}
    </>
  );
}
