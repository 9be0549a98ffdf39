import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useOnline } from '../api/use-online.ts';
import { useStatusChanges } from '../api/status-changes.ts';
import { CrashBoundary } from '../design/components/CrashBoundary.tsx';
import { loadChunk } from '../design/load-chunk.ts';
import noTrees from '../art/sp-seeds.svg';
import notLoaded from '../art/sp-work.svg';
import { Alert } from '../design/components/Alert.tsx';
import { Button, ButtonLink } from '../design/components/Button.tsx';
import { EmptyState } from '../design/components/EmptyState.tsx';
import { Field } from '../design/components/Field.tsx';
import { useFormats } from '../i18n/format.ts';
import type { OpenSession } from '../portal/Gate.tsx';
import { type Arrival, isSettled } from './arrival.ts';
import { OrderStory } from './OrderStory.tsx';
import styles from './Orders.module.css';
import {
  isFoundBy,
  type CustomerOrder,
  type OrdersQuery,
  useOrders,
  useReadAll,
  useReadUntil,
} from './orders.ts';
import { OrdersSkeleton } from './OrdersSkeleton.tsx';
import { Tiles } from './Tiles.tsx';

/** Below the totals, and only for several orders. */
const TreesMap = lazy(async () => ({
  default: (await loadChunk(() => import('./TreesMap.tsx'))).TreesMap,
}));

interface OrdersProps {
  session: OpenSession<'customer'>;
  arrival: Arrival | undefined;
}

/** A customer's totals and orders; loaded orders stay when a refresh fails. */
export function Orders({ session, arrival }: OrdersProps) {
  const { t } = useTranslation('customer');
  const { t: common } = useTranslation();
  const isExpecting = (orders: readonly CustomerOrder[]) =>
    arrival?.why === 'success' &&
    // Otherwise it was for a gift that they received.
    orders.some(({ _id }) => _id === arrival.orderId) &&
    !isSettled(arrival, orders);
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
          <>
            <CrashBoundary panel>
              <Suspense>
                <TreesMap session={session} stats={stats} />
              </Suspense>
            </CrashBoundary>
            <List session={session} orders={orders} query={query} arrival={arrival} />
          </>
        )}
      </>
    );
  }
  if (online && !isError) return <OrdersSkeleton label={t('orders.loading')} />;
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

/** From this many orders on, one can be found by typing. */
const FIND_FROM = 5;

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
  const [wanted, setWanted] = useState('');
  const isFinding = wanted.trim() !== '';
  useReadAll(isFinding, query);
  const found = orders.filter((order) => isFoundBy(order, wanted));
  return (
    <section aria-labelledby="orders" className={styles.orders}>
      <div className={styles.head}>
        <h2 id="orders" className="section-title" tabIndex={-1}>
          {t('orders.title')}
        </h2>
        <div className={styles.ways}>
          <ButtonLink to="/help" look="text">
            {t('orders.help')}
          </ButtonLink>
          <ButtonLink to="/plant-trees" look="accent">
            {t('orders.plantMore')}
          </ButtonLink>
        </div>
      </div>
      {(query.stats?.totalOrders ?? 0) >= FIND_FROM && (
        <div className={styles.find}>
          <Field
            label={t('orders.find')}
            type="search"
            value={wanted}
            onChange={({ target }) => setWanted(target.value)}
          />
          <p className="small quiet" role="status">
            {isFinding &&
              (query.hasNextPage && !query.isFetchNextPageError
                ? t('orders.finding')
                : t('orders.found', { count: found.length }))}
          </p>
        </div>
      )}
      <p className="visually-hidden" role="status">
        {news.map(({ shortId, status }) =>
          t('orders.moved', { id: shortId, status: common(`status.${status}`) }),
        )}
      </p>
      {found.map((order) => (
        <CrashBoundary key={order._id} fallback={<Alert kind="wrong">{t('orders.broken')}</Alert>}>
          <OrderStory
            session={session}
            order={order}
            arrival={arrival?.orderId === order._id ? arrival : undefined}
            folds={orders.length > 1 ? { open: order === orders[0] } : undefined}
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
