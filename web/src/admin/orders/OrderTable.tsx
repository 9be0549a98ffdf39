import { useTranslation } from 'react-i18next';
import { Badge } from '../../design/components/Badge.tsx';
import { Button } from '../../design/components/Button.tsx';
import { Money } from '../../design/components/Money.tsx';
import { useFormats } from '../../i18n/format.ts';
import type { OrderRow } from './orders.ts';
import styles from './OrderTable.module.css';

/** A table on desktops; on phones each row stands as a card with its labels. */
export function OrderTable({
  orders,
  onOpen,
}: {
  orders: readonly OrderRow[];
  onOpen: (id: string) => void;
}) {
  const { t } = useTranslation('admin');
  return (
    <table className={styles.table}>
      <caption className="visually-hidden">{t('orders.title')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('columns.order')}</th>
          <th scope="col">{t('columns.status')}</th>
          <th scope="col">{t('columns.customer')}</th>
          <th scope="col" className={styles.number}>
            {t('columns.trees')}
          </th>
          <th scope="col" className={styles.number}>
            {t('columns.amount')}
          </th>
          <th scope="col">{t('columns.date')}</th>
          <th scope="col">
            <span className="visually-hidden">{t('columns.actions')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {orders.map((order) => (
          <Row key={order._id} order={order} onOpen={onOpen} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ order, onOpen }: { order: OrderRow; onOpen: (id: string) => void }) {
  const { t } = useTranslation('admin');
  const { t: common } = useTranslation();
  const formats = useFormats();
  return (
    <tr>
      <th scope="row" className={`tabular ${styles.order}`}>
        {order.shortId}
      </th>
      <td className={styles.status}>
        <Badge of={order.status}>{common(`status.${order.status}`)}</Badge>
      </td>
      <td className={styles.customer}>
        {order.customerName}
        <br />
        <span className="quiet">{order.customerEmail}</span>
      </td>
      <td data-label={t('columns.trees')} className={`${styles.number} ${styles.trees}`}>
        {formats.number(order.trees)}
      </td>
      <td className={`${styles.number} ${styles.amount}`}>
        <Money amountMinor={order.amount} currency={order.currency} />
      </td>
      <td className={styles.date}>{formats.day(order.createdAt)}</td>
      <td className={styles.action}>
        <Button
          size="small"
          aria-label={t('orders.viewOne', { id: order.shortId })}
          onClick={() => onOpen(order._id)}
        >
          {t('orders.view')}
        </Button>
      </td>
    </tr>
  );
}
