import { useTranslation } from 'react-i18next';
import noTrees from '../art/sp-seeds.svg';
import notLoaded from '../art/sp-work.svg';
import { Alert } from '../design/components/Alert.tsx';
import { Button, ButtonLink } from '../design/components/Button.tsx';
import { EmptyState } from '../design/components/EmptyState.tsx';
import { Skeleton } from '../design/components/Skeleton.tsx';
import type { OpenSession } from '../portal/Gate.tsx';
import { OrderStory } from './OrderStory.tsx';
import styles from './Orders.module.css';
import { type CustomerOrder, useOrders } from './orders.ts';
import { Tiles } from './Tiles.tsx';

/** What a customer ordered, in figures and one by one; what was loaded stays when a later look fails. */
export function Orders({ session }: { session: OpenSession<'customer'> }) {
  const { t } = useTranslation('customer');
  const { t: common } = useTranslation();
  const { data, isError, refetch } = useOrders(session);
  const tryAgain = <Button onClick={() => void refetch()}>{common('tryAgain')}</Button>;
  if (data) {
    return (
      <>
        {isError && (
          <Alert kind="offline" action={tryAgain}>
            {t('orders.stale')}
          </Alert>
        )}
        <Tiles orders={data.orders} />
        <List orders={data.orders} />
      </>
    );
  }
  if (!isError) return <Skeleton label={t('orders.loading')} lines={6} />;
  return (
    <div role="alert">
      <EmptyState drawing={notLoaded} title={t('orders.failedTitle')} action={tryAgain}>
        {t('orders.failed')}
      </EmptyState>
    </div>
  );
}

function List({ orders }: { orders: readonly CustomerOrder[] }) {
  const { t } = useTranslation('customer');
  if (orders.length === 0) {
    const plant = (
      <ButtonLink look="accent" to="/">
        {t('orders.plant')}
      </ButtonLink>
    );
    return (
      <EmptyState drawing={noTrees} title={t('orders.emptyTitle')} action={plant}>
        {t('orders.emptyText')}
      </EmptyState>
    );
  }
  return (
    <section aria-labelledby="orders" className={styles.orders}>
      <h2 id="orders" className="section-title">
        {t('orders.title')}
      </h2>
      {orders.map((order) => (
        <OrderStory key={order._id} order={order} />
      ))}
    </section>
  );
}
