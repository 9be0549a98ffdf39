import { type RefObject, useRef, useState, useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import noOrders from '../../art/sp-seeds.svg';
import notLoaded from '../../art/sp-work.svg';
import { Alert } from '../../design/components/Alert.tsx';
import { Button } from '../../design/components/Button.tsx';
import { EmptyState } from '../../design/components/EmptyState.tsx';
import { keyboard } from '../../design/components/icons.ts';
import { Skeleton } from '../../design/components/Skeleton.tsx';
import type { PortalCall } from '../../session/session.ts';
import { useExport } from './export-orders.ts';
import { foundOn, isNarrowed, type useListing } from './use-listing.ts';
import type { useOrderPage } from './order-page.ts';
import { foundBy } from './orders.ts';
import styles from './OrderList.module.css';
import { OrderTable } from './OrderTable.tsx';
import type { RowActions } from './columns.tsx';
import { Paging } from './Paging.tsx';
import { ShortcutHelp, useShortcuts } from './Shortcuts.tsx';
import { StatusFilter } from './StatusFilter.tsx';
import { Toolbar } from './Toolbar.tsx';

interface Props extends RowActions {
  call: PortalCall;
  place: ReturnType<typeof useListing>;
  orders: ReturnType<typeof useOrderPage>;
}

export function OrderList({ call, place, orders, onOpen, onStatus }: Props) {
  const { t } = useTranslation('admin');
  const { t: common } = useTranslation();
  const search = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLElement>(null);
  const { listing, change } = place;
  const { page, news, showNews } = orders;
  // After a failure the rows of another list would be misleading.
  const rows = page.data ? orders.rows : [];
  const found =
    page.data &&
    foundOn(listing, {
      found: foundBy(page.data, listing.status),
      rows: page.data.orders.length,
      isLast: !page.isPlaceholderData && page.data.nextCursor === undefined,
    });
  const file = useExport(call, t('find.fileName'));
  const tryAgain = <Button onClick={() => void page.refetch()}>{common('tryAgain')}</Button>;
  return (
    <section ref={list} aria-labelledby="orders" className={styles.list}>
      <h2 id="orders" className="visually-hidden">
        {t('orders.title')}
      </h2>
      <div className={styles.top}>
        <StatusFilter chosen={listing.status} answer={page.data} onChoose={(status) => change({ status })} />
        <Keys search={search} list={list} />
      </div>
      <Toolbar
        listing={listing}
        onChange={change}
        searchRef={search}
        found={page.isPlaceholderData ? undefined : found}
        exporting={file.isPending}
        onExport={() => file.mutate(listing)}
      />
      {file.isError && <Alert kind="wrong">{t('find.exportFailed')}</Alert>}
      {page.isError && page.data && (
        <Alert kind="offline" action={tryAgain}>
          {t('orders.stale')}
        </Alert>
      )}
      {page.isError && !page.data && (
        <div role="alert">
          <EmptyState drawing={notLoaded} title={t('orders.failed')} action={tryAgain}>
            {t('orders.failedText')}
          </EmptyState>
        </div>
      )}
      {page.isPending && <Skeleton label={t('orders.loading')} lines={8} />}
      <p className="visually-hidden" role="status">
        {page.isPlaceholderData && t('orders.loading')}
      </p>
      {!page.isPlaceholderData && rows.length > 0 && news.moved && (
        <Alert
          kind="note"
          action={
            <Button size="small" onClick={showNews}>
              {t('news.show')}
            </Button>
          }
        >
          {news.arrived > 0 ? t('news.arrived', { count: news.arrived }) : t('news.moved')}
        </Alert>
      )}
      {page.data && rows.length === 0 && (
        <EmptyState
          drawing={noOrders}
          title={t('orders.emptyTitle')}
          action={
            isNarrowed(listing) && (
              <Button onClick={() => change({ status: 'all', q: '', from: '', to: '' })}>
                {t('orders.showAll')}
              </Button>
            )
          }
        >
          {isNarrowed(listing) ? t('orders.emptyFilter') : t('orders.emptyText')}
        </EmptyState>
      )}
      {rows.length > 0 && (
        <OrderTable
          orders={rows}
          sort={listing.sort}
          onSort={(sort) => change({ sort })}
          isOld={page.isPlaceholderData}
          onOpen={onOpen}
          onStatus={onStatus}
        />
      )}
      {rows.length > 0 && (
        <Paging
          listing={listing}
          rows={rows.length}
          found={found}
          nextCursor={page.isPlaceholderData ? undefined : page.data?.nextCursor}
          knowsPrevious={place.knowsPrevious}
          onNext={place.next}
          onPrevious={place.previous}
          onSize={(limit) => change({ limit })}
        />
      )}
    </section>
  );
}

function Keys({
  search,
  list,
}: {
  search: RefObject<HTMLInputElement | null>;
  list: RefObject<HTMLElement | null>;
}) {
  const { t } = useTranslation('admin');
  const [helping, setHelping] = useState(false);
  const { lettersOn, switchLetters } = useShortcuts(
    search,
    list,
    useCallback(() => setHelping(true), []),
  );
  return (
    <>
      <Button
        look="text"
        size="small"
        icon={keyboard}
        className={styles.keys!}
        onClick={() => setHelping(true)}
      >
        {t('keys.title')}
      </Button>
      <ShortcutHelp
        open={helping}
        onClose={() => setHelping(false)}
        lettersOn={lettersOn}
        onSwitch={switchLetters}
      />
    </>
  );
}
