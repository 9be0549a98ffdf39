import { bankNameOf } from '@arboleda/contracts/payment-method.ts';
import { useTranslation } from 'react-i18next';
import type { PublicOrder } from '../../api/order.ts';
import { Facts } from '../../design/components/Facts.tsx';
import { Money } from '../../design/components/Money.tsx';
import { useFormats } from '../../i18n/format.ts';
import { ReceiptDownload } from './ReceiptDownload.tsx';
import { hasReceipt } from './money-state.ts';
import styles from './OrderPage.module.css';

export function Receipt({ order }: { order: PublicOrder }) {
  const { t } = useTranslation('order');
  const formats = useFormats();
  return (
    <section aria-labelledby="receipt-title">
      <h2 id="receipt-title" className="sub-title">
        {t('receipt.title')}
      </h2>
      <Facts
        rows={[
          ...(order.receiptNumber ? [{ label: t('receipt.number'), value: order.receiptNumber }] : []),
          { label: t('receipt.order'), value: order.shortId },
          { label: t('receipt.trees'), value: t(`package.${order.packageType}`, { count: order.trees }) },
          {
            label: t(hasReceipt(order) ? 'receipt.paid' : 'receipt.sent'),
            value: formats.day(order.createdAt),
          },
          {
            label: t('receipt.method'),
            value: t(`receipt.${order.method.kind}`, { bank: bankNameOf(order.method) }),
          },
          {
            label: t('receipt.total'),
            value: <Money amountMinor={order.amount} currency={order.currency} size="large" />,
          },
          ...refundOf(order, t),
        ]}
      />
      {hasReceipt(order) && (
        <div className={styles.download}>
          <ReceiptDownload order={order} explained />
        </div>
      )}
    </section>
  );
}

function refundOf(order: PublicOrder, t: ReturnType<typeof useTranslation<'order'>>['t']) {
  const { refundedAmount, lostAmount, currency } = order;
  return [
    { label: t('receipt.refunded'), amountMinor: refundedAmount },
    { label: t('receipt.takenBack'), amountMinor: lostAmount },
  ].flatMap(({ label, amountMinor }) =>
    amountMinor ? [{ label, value: <Money amountMinor={amountMinor} currency={currency} /> }] : [],
  );
}
