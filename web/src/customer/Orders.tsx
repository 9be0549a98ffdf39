import { useTranslation } from 'react-i18next';
import { useOnline } from '../api/use-online.ts';
import { useStatusChanges } from '../api/status-changes.ts';
import { CrashBoundary } from '../app/CrashBoundary.tsx';
import noTrees from '../art/sp-seeds.svg';
import notLoaded from '../art/sp-work.svg';
import { Alert } from '../design/components/Alert.tsx';
import { Button, ButtonLink } from '../design/components/Button.tsx';
import { EmptyState } from '../design/components/EmptyState.tsx';
import { Skeleton } from '../design/components/Skeleton.tsx';
import { useFormats } from '../i18n/format.ts';
import type { OpenSession } from '../portal/Gate.tsx';
import { isSettled, useArrival, type Arrival } from './arrival.ts';
import { OrderStory } from './OrderStory.tsx';
import styles from './Orders.module.css';
import { type CustomerOrder, type OrdersQuery, useOrders, useReadUntil } from './orders.ts';
import { Tiles } from './Tiles.tsx';

/** A customer's totals and orders; loaded orders stay when a refresh fails. */
export function Orders({ session }: { session: OpenSession<'customer'> }) {
  const { t } = useTranslation('customer');
  const { t: common } = useTranslation();
  const arrival = useArrival();
  const isExpecting = (orders: readonly CustomerOrder[]) =>
    arrival?.why === 'success' && !isSettled(arrival, orders);
  const query = useOrders(session, isExpecting);
  const online = useOnline();
  useReadUntil(arrival?.orderId, query);
  const { orders, stats, isRefetchError, isError, refetch } = query;
  const tryAgain = <Button onClick={() => void refetch()}>{common('tryAgain')}</Button>;
  if (orders && stats) {
    return (
      <>
        {(isRefetchError || !online) && (
          <Alert kind="offline" action={online && tryAgain}>
            {t('orders.stale')}
          </Alert>
        )}
        <Tiles stats={stats} />
        {orders.length === 0 ? (
          <NoTrees />
        ) : (
          <List session={session} orders={orders} query={query} arrival={arrival} />
        )}
      </>
    );
  }
  if (online && !isError) return <Skeleton label={t('orders.loading')} lines={6} />;
  return (
    <div role="alert">
      <EmptyState
        drawing={notLoaded}
        title={online ? t('orders.failedTitle') : t('orders.offlineTitle')}
        action={online && tryAgain}
      >
        {online ? t('orders.failed') : t('orders.offline')}
      </EmptyState>
    </div>
  );
}

function NoTrees() {
  const { t } = useTranslation('customer');
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

interface ListProps {
  session: OpenSession<'customer'>;
  orders: readonly CustomerOrder[];
  query: OrdersQuery;
  arrival: Arrival | undefined;
}

function List({ session, orders, query, arrival }: ListProps) {
  const { t } = useTranslation('customer');
  const { t: common } = useTranslation();
  const news = useStatusChanges(orders);
  return (
    <section aria-labelledby="orders" className={styles.orders}>
      <h2 id="orders" className="section-title" tabIndex={-1}>
        {t('orders.title')}
      </h2>
      <p className="visually-hidden" role="status">
        {news.map(({ shortId, status }) =>
          t('orders.moved', { id: shortId, status: common(`status.${status}`) }),
        )}
      </p>
      {orders.map((order, at) => (
        <CrashBoundary key={order._id} fallback={<Alert kind="wrong">{t('orders.broken')}</Alert>}>
          <OrderStory
            session={session}
            order={order}
            arrival={arrival?.orderId === order._id ? arrival : undefined}
            folds={orders.length > 1 ? { open: at === 0 } : undefined}
          />
        </CrashBoundary>
      ))}
      <LoadMore shown={orders.length} query={query} />
    </section>
  );
}

function LoadMore({ shown, query }: { shown: number; query: OrdersQuery }) {
  const { t } = useTranslation('customer');
  const formats = useFormats();
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage, stats } = query;
  if (!hasNextPage || !stats) return null;
  return (
    <div className={styles.more}>
      {isFetchNextPageError && <Alert kind="wrong">{t('orders.moreFailed')}</Alert>}
      <Button
        working={isFetchingNextPage && t('orders.loadingMore')}
        onClick={() => void fetchNextPage({ cancelRefetch: false })}
      >
        {t('orders.more')}
      </Button>
      <p className="small quiet">
        {t('orders.count', {
          shown: formats.number(shown),
          total: formats.number(Math.max(stats.totalOrders, shown + 1)),
        })}
      </p>
    </div>
  );
}
