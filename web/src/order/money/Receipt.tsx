import { ERASED_CUSTOMER } from '@arboleda/contracts/order.ts';
import { bankNameOf } from '@arboleda/contracts/payment-method.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PublicOrder } from '../../api/order.ts';
import { Alert } from '../../design/components/Alert.tsx';
import { Facts } from '../../design/components/Facts.tsx';
import { Money } from '../../design/components/Money.tsx';
import { useFormats } from '../../i18n/format.ts';
import { useSession } from '../../session/session.ts';
import { GuestReceipt } from './GuestReceipt.tsx';
import { ReceiptDownload } from './ReceiptDownload.tsx';
import { hasReceipt } from './money-state.ts';
import styles from './Receipt.module.css';

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
          <Pdf order={order} />
        </div>
      )}
    </section>
  );
}

/** For the customer a button, for everyone else with the link a form; nothing once the buyer's data was erased. */
function Pdf({ order }: { order: PublicOrder }) {
  const { t } = useTranslation('order');
  const session = useSession('customer');
  const [isNotTheirs, setNotTheirs] = useState(false);
  if (order.customerName === ERASED_CUSTOMER.name)
    return <p className="small quiet">{t('receipt.erased')}</p>;
  if (session.state === 'in' && !isNotTheirs)
    return <ReceiptDownload order={order} onRefused={() => setNotTheirs(true)} />;
  return (
    <>
      {session.state === 'in' && <Alert kind="wrong">{t('receipt.notYours')}</Alert>}
      {session.state !== 'checking' && <GuestReceipt order={order} />}
    </>
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
