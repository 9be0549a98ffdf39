import { useTranslation } from 'react-i18next';
import type { PublicOrder } from '../../api/order.ts';
import { Facts } from '../../design/components/Facts.tsx';
import { Money } from '../../design/components/Money.tsx';
import { useFormats } from '../../i18n/format.ts';

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
          { label: t('receipt.trees'), value: t(`package.${order.packageType}`, { count: order.trees }) },
          { label: t('receipt.paid'), value: formats.day(order.createdAt) },
          { label: t('receipt.method'), value: methodOf(order, t) },
          { label: t('receipt.transaction'), value: order.transactionId },
          {
            label: t('receipt.total'),
            value: <Money amountMinor={order.amount} currency={order.currency} size="large" />,
          },
        ]}
      />
    </section>
  );
}

function methodOf(order: PublicOrder, t: ReturnType<typeof useTranslation<'order'>>['t']): string {
  if (order.paymentMethod !== 'stripe') return t('receipt.transfer');
  return order.card ? t('receipt.card', { last4: order.card.last4 }) : t('receipt.cardUnknown');
}
