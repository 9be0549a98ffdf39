import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { Alert } from '../../design/components/Alert.tsx';
import { useFormats } from '../../i18n/format.ts';
import type { OrderDetails } from './orders.ts';

/** A debit may have taken the order's money back, and nobody has decided. */
export function ReturnNotice({ order }: { order: OrderDetails }) {
  const { t } = useTranslation('admin');
  const formats = useFormats();
  return (order.suspectedReturns ?? [])
    .filter(({ settledAt }) => settledAt === undefined)
    .map(({ debitId, amount, currency, day }) => (
      <Alert key={debitId} kind="wrong">
        <p>
          {t(order.status === 'pending' ? 'suspectedReturn.held' : 'suspectedReturn.planted', {
            amount: formats.money(amount, currency),
            day: formats.calendarDay(day),
          })}{' '}
          <Link to="?view=statements&list=returns">{t('suspectedReturn.decide')}</Link>
        </p>
      </Alert>
    ));
}
