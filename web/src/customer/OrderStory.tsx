import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../design/components/Badge.tsx';
import { ButtonLink } from '../design/components/Button.tsx';
import { arrowRight } from '../design/components/icons.ts';
import { MapCard } from '../design/components/MapCard.tsx';
import { PhotoGrid } from '../design/components/PhotoGrid.tsx';
import { OrderTimeline } from '../public/order/OrderTimeline.tsx';
import type { CustomerOrder } from './orders.ts';
import styles from './OrderStory.module.css';

/**
 * One order of the portal: which trees, how far they are (with amount, dates, planter and place on the line), then
 * map and photos when there are some.
 */
export function OrderStory({ order }: { order: CustomerOrder }) {
  const { t } = useTranslation('customer');
  const { t: common } = useTranslation();
  const headingId = useId();
  const facts = [
    { label: t('orders.place'), value: order.location },
    { label: t('orders.planter'), value: order.assignedWorker?.name },
  ].filter(({ value }) => value);
  return (
    <article className={styles.order} aria-labelledby={headingId}>
      <header className={styles.head}>
        <div>
          <p className={styles.which}>
            {t('orders.order', { id: order.shortId })}
            <Badge of={order.status}>{common(`status.${order.status}`)}</Badge>
          </p>
          <h3 id={headingId} className={styles.title}>
            {common('trees', { count: order.trees })}
          </h3>
        </div>
        <ButtonLink to={`/orders/${order.token}`} icon={arrowRight}>
          {t('orders.open')}
        </ButtonLink>
      </header>
      <div className={`on-forest ${styles.panel}`}>
        <OrderTimeline order={order} />
      </div>
      {order.coordinates && (
        <div className={styles.map}>
          <MapCard coordinates={order.coordinates} facts={facts} />
        </div>
      )}
      {order.photos.length > 0 && <PhotoGrid photos={order.photos} arrangement="even" />}
    </article>
  );
}
