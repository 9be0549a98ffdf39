import { useTranslation } from 'react-i18next';
import noOrders from '../../art/sp-seeds.svg';
import notLoaded from '../../art/sp-work.svg';
import { Alert } from '../../design/components/Alert.tsx';
import { Button } from '../../design/components/Button.tsx';
import { EmptyState } from '../../design/components/EmptyState.tsx';
import { Skeleton } from '../../design/components/Skeleton.tsx';
import { useFormats } from '../../i18n/format.ts';
import type { PortalCall } from '../../session/session.ts';
import { type Filter, useOrders } from './orders.ts';
import styles from './OrderList.module.css';
import { OrderTable } from './OrderTable.tsx';
import { StatusFilter } from './StatusFilter.tsx';

interface Props {
  call: PortalCall;
  filter: Filter;
  onFilter: (filter: Filter) => void;
  onOpen: (id: string) => void;
}

export function OrderList({ call, filter, onFilter, onOpen }: Props) {
  const { t } = useTranslation('admin');
  const { t: common } = useTranslation();
  const formats = useFormats();
  const query = useOrders(call, filter);
  const pages = query.data?.pages;
  const counts = pages?.at(-1)?.counts;
  const orders = pages?.flatMap((page) => page.orders) ?? [];
  const tryAgain = <Button onClick={() => void query.refetch()}>{common('tryAgain')}</Button>;
  return (
    <section aria-labelledby="orders" className={styles.list}>
      <h2 id="orders" className="sub-title">
        {t('orders.title')} {counts && <span className={styles.count}>{formats.number(counts.all)}</span>}
      </h2>
      <StatusFilter chosen={filter} counts={counts} onChoose={onFilter} />
      {query.isError && pages && (
        <Alert kind="offline" action={tryAgain}>
          {t('orders.stale')}
        </Alert>
      )}
      {query.isError && !pages && (
        <div role="alert">
          <EmptyState drawing={notLoaded} title={t('orders.failed')} action={tryAgain}>
            {t('orders.failedText')}
          </EmptyState>
        </div>
      )}
      {query.isPending && <Skeleton label={t('orders.loading')} lines={6} />}
      {pages && orders.length === 0 && (
        <EmptyState drawing={noOrders} title={t('orders.emptyTitle')}>
          {filter === 'all' ? t('orders.emptyText') : t('orders.emptyFilter')}
        </EmptyState>
      )}
      {orders.length > 0 && <OrderTable orders={orders} onOpen={onOpen} />}
      {counts && orders.length > 0 && (
        <div className={styles.more}>
          <p className="quiet tabular" role="status">
            {t('orders.shown', {
              shown: formats.number(orders.length),
              all: formats.number(counts[filter]),
            })}
          </p>
          {query.hasNextPage && (
            <Button
              size="small"
              working={query.isFetchingNextPage && t('orders.loading')}
              onClick={() => void query.fetchNextPage()}
            >
              {t('orders.more')}
            </Button>
          )}
        </div>
      )}
    </section>
  );
}
