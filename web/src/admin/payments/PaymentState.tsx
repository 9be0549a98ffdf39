import { useTranslation } from 'react-i18next';
import { Icon } from '../../design/components/Icon.tsx';
import { check, close, hourglass, warning } from '../../design/components/icons.ts';
import { useFormats } from '../../i18n/format.ts';
import desk from '../desk/desk.module.css';
import type { ListedPayment, Status } from './payments.ts';

const LOOK: Record<Status, { icon: typeof check; tone: 'leaf' | 'brick' | 'pending' }> = {
  open: { icon: hourglass, tone: 'pending' },
  processing: { icon: hourglass, tone: 'pending' },
  submitted: { icon: hourglass, tone: 'pending' },
  succeeded: { icon: check, tone: 'leaf' },
  canceled: { icon: close, tone: 'brick' },
  rejected: { icon: close, tone: 'brick' },
  mismatched: { icon: warning, tone: 'brick' },
};

/** What became of a payment, what was given back of it, and whether its owner's bank asks for it. */
export function PaymentState({ payment }: { payment: ListedPayment }) {
  const { t } = useTranslation('desk');
  const formats = useFormats();
  const { status, refundedAmount, amount, currency, isDisputed, isDisputeLost, isPackageRefunded } = payment;
  const { icon, tone } = LOOK[status];
  return (
    <span>
      <span className={`${desk.mark} ${desk[tone]}`}>
        <Icon of={icon} size="small" />
        {t(`payments.statuses.${status}`)}
      </span>
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
          <span className={`${desk.mark} ${desk.brick}`}>
            <Icon of={warning} size="small" />
            {t(isDisputeLost ? 'payments.disputeLost' : 'payments.disputed')}
          </span>
        </>
      )}
    </span>
  );
}
