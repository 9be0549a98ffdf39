import { useTranslation } from 'react-i18next';
import noOrders from '../art/sp-seeds.svg';
import { Alert } from '../design/components/Alert.tsx';
import { Button } from '../design/components/Button.tsx';
import { EmptyState } from '../design/components/EmptyState.tsx';
import { Skeleton } from '../design/components/Skeleton.tsx';
import { useFormats } from '../i18n/format.ts';
import type { PortalCall } from '../session/session.ts';
import { FILTERS, type Filter, useOrders } from './orders.ts';
import styles from './OrderList.module.css';
import { OrderTable } from './OrderTable.tsx';

interface Props {
  call: PortalCall;
  filter: Filter;
  onFilter: (filter: Filter) => void;
  onOpen: (id: string) => void;
}

export function OrderList({ call, filter, onFilter, onOpen }: Props) {
  const { t } = useTranslation('admin');
  const { t: common } = useTranslation();
  const query = useOrders(call, filter);
  const pages = query.data?.pages;
  const orders = pages?.flatMap((page) => page.orders) ?? [];
  return (
    <section aria-labelledby="orders" className={styles.list}>
      <h2 id="orders" className="sub-title">
        {t('orders.title')}
      </h2>
      <StatusFilter chosen={filter} counts={pages?.at(-1)?.counts} onChoose={onFilter} />
      {query.isError && (
        <Alert
          kind="wrong"
          action={<Button onClick={() => void query.refetch()}>{common('tryAgain')}</Button>}
        >
          {t('orders.failed')}
        </Alert>
      )}
      {query.isPending && <Skeleton label={t('orders.loading')} lines={6} />}
      {pages && orders.length === 0 && (
        <EmptyState drawing={noOrders} title={t('orders.emptyTitle')}>
          {t('orders.emptyText')}
        </EmptyState>
      )}
      {orders.length > 0 && <OrderTable orders={orders} onOpen={onOpen} />}
      {query.hasNextPage && (
        <Button
          working={query.isFetchingNextPage && t('orders.loading')}
          onClick={() => void query.fetchNextPage()}
        >
          {t('orders.more')}
        </Button>
      )}
    </section>
  );
}

function StatusFilter({
  chosen,
  counts,
  onChoose,
}: {
  chosen: Filter;
  counts: Record<Filter, number> | undefined;
  onChoose: (filter: Filter) => void;
}) {
  const { t } = useTranslation('admin');
  const { t: common } = useTranslation();
  const formats = useFormats();
  return (
    <div role="group" aria-label={t('orders.filter')} className={styles.filter}>
      {FILTERS.map((filter) => (
        <button
          key={filter}
          type="button"
          className={styles.choice}
          aria-pressed={filter === chosen}
          onClick={() => onChoose(filter)}
        >
          {filter === 'all' ? t('orders.all') : common(`status.${filter}`)}{' '}
          <strong className="tabular">{counts ? formats.number(counts[filter]) : '…'}</strong>
        </button>
      ))}
    </div>
  );
}
