import { useTranslation } from 'react-i18next';
import { Alert } from '../../design/components/Alert.tsx';
import { Button } from '../../design/components/Button.tsx';
import { useFormats } from '../../i18n/format.ts';
import shared from '../shared/shared.module.css';
import type { PortalCall } from '../../session/session.ts';
import { type RefundTarget, targetsOf } from '../refund/refund.ts';
import { SendingRefunds } from '../refund/SendingRefunds.tsx';
import styles from './Payment.module.css';
import type { Payment } from './payments.ts';
import { useMay } from '../permissions.tsx';

interface Props {
  call: PortalCall;
  payment: Payment;
}

export function Refunds({ call, payment }: Props) {
  const { t } = useTranslation('panels');
  const { refunds, orderId } = payment;
  if (refunds.length === 0) return null;
  return (
    <section className={styles.wide}>
      <h3 className={shared.heading}>{t('payments.sections.refunds')}</h3>
      <ul>
        {refunds.map((refund) => (
          <OneRefund key={refund.refundId} call={call} orderId={orderId} refund={refund} />
        ))}
      </ul>
    </section>
  );
}

interface OneProps {
  call: PortalCall;
  orderId: string;
  refund: Payment['refunds'][number];
}

function OneRefund({ call, orderId, refund }: OneProps) {
  const { t } = useTranslation('panels');
  const formats = useFormats();
  const { amount, currency, reason, status, method, by, createdAt, failureReason, debit } = refund;
  return (
    <li className={styles.entry}>
      <p>
        {reason}
        {failureReason && ` (${failureReason})`}
        <br />
        <span className="quiet">
          {t('payments.refundBy', {
            name: by?.name ?? t('payments.inStripe'),
            day: formats.day(createdAt),
            how: t(`payments.refundMethods.${method}`),
          })}
          {debit && (
            <>
              <br />
              {t('payments.refundDebit', {
                day: formats.calendarDay(debit.day),
                number: debit.number ?? '',
              }).trim()}
            </>
          )}
        </span>
      </p>
      <span>
        <strong className="tabular">{formats.money(amount, currency)}</strong>{' '}
        <span className="quiet">{t(`payments.refundStatuses.${status}`)}</span>
      </span>
      <SendingRefunds call={call} orderId={orderId} refunds={[refund]} />
    </li>
  );
}

/** Disputes opened by cardholders at their banks. */
export function Disputes({ disputes }: { disputes: Payment['disputes'] }) {
  const { t } = useTranslation('panels');
  if (disputes.length === 0) return null;
  return (
    <section className={styles.wide}>
      <h3 className={shared.heading}>{t('payments.sections.disputes')}</h3>
      <ul>
        {disputes.map((dispute) => (
          <OneDispute key={dispute.disputeId} dispute={dispute} />
        ))}
      </ul>
    </section>
  );
}

function OneDispute({ dispute }: { dispute: Payment['disputes'][number] }) {
  const formats = useFormats();
  const { amount, currency, reason, status, createdAt } = dispute;
  return (
    <li className={styles.entry}>
      <p>
        {reason.replaceAll('_', ' ')}
        <br />
        <span className="quiet">{formats.day(createdAt)}</span>
      </p>
      <span>
        <strong className="tabular">{formats.money(amount, currency)}</strong>{' '}
        <span className="quiet">{status.replaceAll('_', ' ')}</span>
      </span>
    </li>
  );
}

export function Packages({ call, payment, onRefund }: Props & { onRefund: (target: RefundTarget) => void }) {
  const { t } = useTranslation('panels');
  const formats = useFormats();
  const may = useMay();
  const { photoPackages } = payment;
  if (photoPackages.length === 0) return null;
  const targets = targetsOf(payment);
  return (
    <section className={styles.wide}>
      <h3 className={shared.heading}>{t('payments.sections.packages')}</h3>
      <ul>
        {photoPackages.map((one) => (
          <li key={one.purchaseId} className={styles.entry}>
            <p>
              {t(`payments.photoPackages.${one.photoPackageType}`)}
              <br />
              <span className="quiet">{formats.day(one.purchasedAt ?? one.createdAt)}</span>
            </p>
            <span>
              <strong className="tabular">{formats.money(one.amount, one.currency)}</strong>{' '}
              <span className="quiet">{t(`payments.packageStatuses.${one.status}`)}</span>
              {one.leftAmount > 0 && may('refunds:write') && (
                <Button
                  size="small"
                  look="text"
                  aria-label={t('payments.refundPackage', {
                    package: t(`payments.photoPackages.${one.photoPackageType}`),
                  })}
                  onClick={() => onRefund(targets.find(({ id }) => id === one.purchaseId)!)}
                >
                  {t('payments.refund')}
                </Button>
              )}
            </span>
            <ul>
              {one.refunds.map((refund) => (
                <OneRefund key={refund.refundId} call={call} orderId={payment.orderId} refund={refund} />
              ))}
              {one.disputes.map((dispute) => (
                <OneDispute key={dispute.disputeId} dispute={dispute} />
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Money still owed after a failed refund. */
export function ToReturn({ payment }: { payment: Payment }) {
  const { t } = useTranslation('panels');
  const formats = useFormats();
  return [payment, ...payment.photoPackages]
    .filter(({ toReturnAmount }) => toReturnAmount > 0)
    .map(({ toReturnAmount, currency, received }, at) => (
      <div key={at} className={styles.wide}>
        <Alert kind="wrong">
          {t('payments.toReturn', {
            amount: formats.money(toReturnAmount, received?.currency ?? currency),
          })}
        </Alert>
      </div>
    ));
}
