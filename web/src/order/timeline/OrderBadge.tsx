import { useTranslation } from 'react-i18next';
import type { PublicOrder } from '../../api/order.ts';
import { Badge } from '../../design/components/Badge.tsx';
import { moneyStateOf } from '../money/money-state.ts';

export function OrderBadge({
  order,
}: {
  order: Pick<PublicOrder, 'status' | 'withdrawn' | 'withdrawal' | 'lostAmount' | 'manualPayment'>;
}) {
  const { t } = useTranslation(['order', 'common']);
  const standing = moneyStateOf(order);
  if (standing === 'withdrawn') return <Badge of="rejected">{t('badge.refunded')}</Badge>;
  if (standing === 'withdrawing') return <Badge of="to-verify">{t('badge.withdrawing')}</Badge>;
  if (standing === 'taken-back') return <Badge of="rejected">{t('badge.takenBack')}</Badge>;
  if (standing === 'rejected') return <Badge of="rejected">{t('badge.rejected')}</Badge>;
  return (
    <>
      <Badge of={order.status}>{t(`common:status.${order.status}`)}</Badge>
      {standing === 'to-verify' && <Badge of="to-verify">{t('badge.toVerify')}</Badge>}
    </>
  );
}
