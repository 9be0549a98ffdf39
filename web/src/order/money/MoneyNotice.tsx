import { useTranslation } from 'react-i18next';
import type { PublicOrder } from '../../api/order.ts';
import { Alert } from '../../design/components/Alert.tsx';
import { ButtonLink } from '../../design/components/Button.tsx';
import { useFormats } from '../../i18n/format.ts';
import { moneyStateOf } from './money-state.ts';
import styles from '../order.module.css';

type OrderMoney = Pick<
  PublicOrder,
  'trees' | 'withdrawn' | 'manualPayment' | 'amount' | 'currency' | 'refundedAmount' | 'lostAmount'
>;

export function MoneyNotice({ order }: { order: OrderMoney }) {
  const { t } = useTranslation('order');
  const formats = useFormats();
  const standing = moneyStateOf(order);
  if (standing === 'to-verify') return <Alert kind="note">{t('money.toVerify')}</Alert>;
  if (standing === 'rejected') {
    const reason = order.manualPayment?.rejectionReason;
    return (
      <Alert
        kind="wrong"
        action={
          <ButtonLink to="/plant-trees" size="small">
            {t('money.sendAgain')}
          </ButtonLink>
        }
      >
        <p>{t('money.rejected')}</p>
        {reason && <p className={styles.reason}>{t('money.reason', { reason })}</p>}
        <p>{t('money.rejectedNext')}</p>
      </Alert>
    );
  }
  if (order.lostAmount) {
    const amount = formats.money(order.lostAmount, order.currency);
    return (
      <Alert kind="note">
        {t(standing === 'taken-back' ? 'money.takenBackWithdrawn' : 'money.takenBack', { amount })}
      </Alert>
    );
  }
  if (!order.refundedAmount) return null;
  const amount = formats.money(order.refundedAmount, order.currency);
  const all = order.refundedAmount >= order.amount;
  return (
    <Alert kind="note">
      {standing === 'withdrawn'
        ? t('money.withdrawn', { amount })
        : all
          ? t('money.refunded', { amount, count: order.trees })
          : t('money.partlyRefunded', { amount })}
    </Alert>
  );
}
