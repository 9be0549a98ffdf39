import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { useFormats } from '../../i18n/format.ts';
import type { DebitCredit } from './debits.ts';

/** A credit that a debit may have taken back, and why. */
export function Credit({ credit }: { credit: DebitCredit }) {
  const { t } = useTranslation('statements');
  const formats = useFormats();
  return (
    <span>
      {formats.calendarDay(credit.day)} {credit.name ?? credit.text}
      {credit.orders.map((order) => (
        <span key={order.orderId}>
          {' '}
          <OrderLink order={order} />
        </span>
      ))}
      {credit.reasons.length > 0 && (
        <span className="quiet small">
          <br />
          {formats.list(credit.reasons.map((reason) => t(`debits.reasons.${reason}`)))}
        </span>
      )}
    </span>
  );
}

export const OrderLink = ({
  order,
}: {
  order: { orderId: string; shortId: string; customerName: string };
}) => (
  <>
    <Link to={`?view=transfers&transfer=${order.orderId}`}>{order.shortId}</Link> {order.customerName}
  </>
);
