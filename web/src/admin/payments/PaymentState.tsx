import { useTranslation } from 'react-i18next';
import { check, close, hourglass, type Outline, warning } from '../../design/components/icons.ts';
import { useFormats } from '../../i18n/format.ts';
import { Mark, type Tone } from '../shared/Mark.tsx';
import type { ListedPayment, Status } from './payments.ts';

const LOOK: Record<Status, { icon: Outline; tone: Tone }> = {
  open: { icon: hourglass, tone: 'pending' },
  processing: { icon: hourglass, tone: 'pending' },
  submitted: { icon: hourglass, tone: 'pending' },
  succeeded: { icon: check, tone: 'leaf' },
  canceled: { icon: close, tone: 'brick' },
  rejected: { icon: close, tone: 'brick' },
  mismatched: { icon: warning, tone: 'brick' },
};

/** The state of a payment, with what went back or is disputed. */
export function PaymentState({ payment }: { payment: ListedPayment }) {
  const { t } = useTranslation('panels');
  const formats = useFormats();
  const { status, refundedAmount, amount, currency, isDisputed, isDisputeLost, isPackageRefunded } = payment;
  return (
    <span>
      <Mark {...LOOK[status]}>{t(`payments.statuses.${status}`)}</Mark>
      {refundedAmount > 0 && (
        <>
          <br />
          <span className="quiet">
            {refundedAmount >= amount
              ? t('payments.refundedWhole')
              : t('payments.refundedPart', { amount: formats.money(refundedAmount, currency) })}
          </span>
        </>
      )}
      {isPackageRefunded && (
        <>
          <br />
          <span className="quiet">{t('payments.packageRefunded')}</span>
        </>
      )}
      {isDisputed && (
        <>
          <br />
          <Mark icon={warning} tone="brick">
            {t(isDisputeLost ? 'payments.disputeLost' : 'payments.disputed')}
          </Mark>
        </>
      )}
    </span>
  );
}
