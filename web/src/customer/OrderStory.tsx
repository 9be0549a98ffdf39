import { useEffect, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { ButtonLink } from '../design/components/Button.tsx';
import { arrowRight } from '../design/components/icons.ts';
import { MapCard } from '../design/components/MapCard.tsx';
import type { OpenSession } from '../portal/Gate.tsx';
import { Album } from '../public/order/Album.tsx';
import { MoneyNotice } from '../public/order/MoneyNotice.tsx';
import { OrderBadge } from '../public/order/OrderBadge.tsx';
import { OrderTimeline } from '../public/order/OrderTimeline.tsx';
import { hasReceipt, isUnderWay } from '../public/order/money-state.ts';
import type { Arrival } from './arrival.ts';
import { OrderGrowth } from './OrderGrowth.tsx';
import type { CustomerOrder } from './orders.ts';
import styles from './OrderStory.module.css';
import { ReceiptActions } from './ReceiptActions.tsx';

interface Props {
  session: OpenSession<'customer'>;
  order: CustomerOrder;
  /** Set when the visitor returned to this order from payment or a link. */
  arrival: Arrival | undefined;
}

const PHOTOS_AT_FIRST = 8;

/** One order of the portal: headline, timeline with its facts, then map, photos, growth updates and receipt. */
export function OrderStory({ session, order, arrival }: Props) {
  const { t } = useTranslation('customer');
  const { t: common } = useTranslation();
  const headingId = useId();
  const article = useRef<HTMLElement>(null);
  const isWanted = arrival !== undefined;
  useEffect(() => {
    if (isWanted) article.current?.scrollIntoView();
  }, [isWanted]);
  const facts = [
    { label: t('orders.place'), value: order.location },
    { label: t('orders.planter'), value: order.assignedWorker?.name },
  ].filter(({ value }) => value);
  return (
    <article ref={article} className={styles.order} aria-labelledby={headingId}>
      <header className={styles.head}>
        <div className={styles.name}>
          <p className={styles.which}>
            {t('orders.order', { id: order.shortId })}
            <OrderBadge order={order} />
          </p>
          <h3 id={headingId} className={styles.title}>
            {common('trees', { count: order.trees })}
          </h3>
        </div>
        <ButtonLink to={`/orders/${order.token}`} icon={arrowRight}>
          {t('orders.open')}
        </ButtonLink>
      </header>
      <MoneyNotice order={order} />
      {isUnderWay(order) && (
        <div className={`on-forest ${styles.panel}`}>
          <OrderTimeline order={order} />
        </div>
      )}
      {order.coordinates && (
        <div className={styles.map}>
          <MapCard coordinates={order.coordinates} facts={facts} />
        </div>
      )}
      {order.photos.length > 0 && (
        <Album photos={order.photos} arrangement="even" atFirst={PHOTOS_AT_FIRST} />
      )}
      <OrderGrowth session={session} order={order} arrival={arrival} />
      {hasReceipt(order) && <ReceiptActions session={session} order={order} />}
    </article>
  );
}
