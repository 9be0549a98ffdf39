import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../design/components/Badge.tsx';
import { ButtonLink } from '../design/components/Button.tsx';
import { Facts } from '../design/components/Facts.tsx';
import { Money } from '../design/components/Money.tsx';
import { useFormats } from '../i18n/format.ts';
import type { CustomerOrder } from './orders.ts';
import styles from './OrderStory.module.css';

/** One order of the portal: its facts, and when there are some its place and photos. */
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
      <ButtonLink to={`/orders/${order.token}`}>{t('orders.open')}</ButtonLink>
    </article>
  );
}
