import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../design/components/Badge.tsx';
import { ButtonLink } from '../design/components/Button.tsx';
import { Facts } from '../design/components/Facts.tsx';
import { MapCard } from '../design/components/MapCard.tsx';
import { Money } from '../design/components/Money.tsx';
import { PhotoGrid } from '../design/components/PhotoGrid.tsx';
import { useFormats } from '../i18n/format.ts';
import { OrderTimeline } from '../public/order/OrderTimeline.tsx';
import type { CustomerOrder } from './orders.ts';
import styles from './OrderStory.module.css';

/** One order of the portal: how far it is, its facts, and when there are some its place and photos. */
export function OrderStory({ order }: { order: CustomerOrder }) {
  const { t } = useTranslation('customer');
  const { t: common } = useTranslation();
  const formats = useFormats();
  const headingId = useId();
  return (
    <article className={styles.order} aria-labelledby={headingId}>
      <header className={styles.head}>
        <h3 id={headingId} className="sub-title">
          {t('orders.order', { id: order.shortId })}
        </h3>
        <Badge of={order.status}>{common(`status.${order.status}`)}</Badge>
      </header>
      <div className={`on-forest ${styles.panel}`}>
        <OrderTimeline order={order} />
      </div>
      <Facts
        rows={[
          { label: t('orders.trees'), value: formats.number(order.trees) },
          {
            label: t('orders.amount'),
            value: <Money amountMinor={order.amount} currency={order.currency} />,
          },
          { label: t('orders.date'), value: formats.day(order.createdAt) },
          { label: t('orders.planter'), value: order.assignedWorker?.name ?? t('orders.noPlanter') },
        ]}
      />
      {order.coordinates && (
        <MapCard coordinates={order.coordinates} facts={order.location ? [{ label: t('orders.place'), value: order.location }] : []} />
      )}
      {order.photos.length > 0 && <PhotoGrid photos={order.photos} />}
      <ButtonLink to={`/orders/${order.token}`}>{t('orders.open')}</ButtonLink>
    </article>
  );
}
