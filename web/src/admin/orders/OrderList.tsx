import { type RefObject, useCallback, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Alert } from '../../design/components/Alert.tsx';
import { Button } from '../../design/components/Button.tsx';
import { download, keyboard } from '../../design/components/icons.ts';
import type { PortalCall } from '../../session/session.ts';
import { useMay } from '../permissions.tsx';
import { ListState } from '../list/ListState.tsx';
import { Paging } from '../list/Paging.tsx';
import { TableSkeleton } from '../shared/Skeletons.tsx';
import type { Workload } from '../workers/workers.ts';
import { BulkBar } from './BulkBar.tsx';
import type { BulkKind } from './BulkDialog.tsx';
import { useExport } from './export-orders.ts';
import type { useOrderPage } from './order-page.ts';
import { foundBy, type OrderRow } from './orders.ts';
import styles from './OrderList.module.css';
import { OrderTable, type RowActions } from './OrderTable.tsx';
import { ShortcutHelp, useShortcuts } from './Shortcuts.tsx';
import { StatusFilter } from './StatusFilter.tsx';
import { SortSelect, Toolbar } from './Toolbar.tsx';
import {
  filterQuery,
  foundOn,
  isNarrowed,
  NO_FILTER,
  PAGE_SIZES,
  placeOf,
  type useListing,
} from './use-listing.ts';
import { useShown } from './use-shown.ts';

interface Props extends RowActions {
  call: PortalCall;
  place: ReturnType<typeof useListing>;
  orders: ReturnType<typeof useOrderPage>;
  workers: readonly Workload[] | undefined;
  chosen: ReadonlyMap<string, OrderRow>;
  onChoose: (rows: readonly OrderRow[], isChosen: boolean) => void;
  onClear: () => void;
  onBulk: (kind: BulkKind) => void;
}

export function OrderList(props: Props) {
  const { call, place, orders, workers, chosen, onChoose, onClear, onBulk, onOpen, onStatus } = props;
  const { t } = useTranslation('admin');
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
  const may = useMay();
  const file = useExport(call, t('find.fileName'));
  const shown = useShown();
  const countable = page.isPlaceholderData ? undefined : found;
  return (
    <section ref={list} aria-labelledby="orders" className={styles.list}>
      <h2 id="orders" className="visually-hidden">
        {t('orders.title')}
      </h2>
      <div className={styles.top}>
        <StatusFilter chosen={listing.status} answer={page.data} onChoose={(status) => change({ status })} />
        <Keys search={search} list={list} />
        <SortSelect sort={listing.sort} onSort={(sort) => change({ sort })} />
        {may('orders:export') && (
          <Button
            size="small"
            icon={download}
            className={styles.file!}
            disabled={countable?.count === 0}
            working={file.isPending && t('find.exporting')}
            onClick={() => file.mutate(filterQuery(listing))}
          >
            {countable === undefined
              ? t('find.csv')
              : t('find.csvOf', { count: countable.count, shown: shown(countable) })}
          </Button>
        )}
      </div>
      <Toolbar listing={listing} onChange={change} searchRef={search} workers={workers} />
      {file.isError && <Alert kind="wrong">{t('find.exportFailed')}</Alert>}
      <p className="visually-hidden" role="status">
        {page.isPlaceholderData && t('orders.loading')}
      </p>
      <ListState
        query={page}
        loading={t('orders.loading')}
        skeleton={<TableSkeleton label={t('orders.loading')} rows={14} />}
        words={{ failed: t('orders.failed'), failedText: t('orders.failedText'), stale: t('orders.stale') }}
        empty={
          rows.length > 0
            ? undefined
            : {
                title: t('orders.emptyTitle'),
                text: isNarrowed(listing) ? t('orders.emptyFilter') : t('orders.emptyText'),
                action: isNarrowed(listing) && (
                  <Button onClick={() => change(NO_FILTER)}>{t('orders.showAll')}</Button>
                ),
              }
        }
      >
        {!page.isPlaceholderData && news.moved && (
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
        <OrderTable
          orders={rows}
          sort={listing.sort}
          onSort={(sort) => change({ sort })}
          chosen={chosen}
          onChoose={onChoose}
          isOld={page.isPlaceholderData}
          onOpen={onOpen}
          onStatus={onStatus}
        />
      </ListState>
      {chosen.size > 0 && <BulkBar chosen={[...chosen.values()]} onAct={onBulk} onClear={onClear} />}
      {rows.length > 0 && (
        <Paging
          rows={rows.length}
          limit={listing.limit}
          // Paging beyond the counted rows proves the count too low.
          all={
            found && !(found.isLeast && found.count <= placeOf(listing, rows.length).last)
              ? shown(found)
              : undefined
          }
          next={page.isPlaceholderData ? undefined : page.data?.nextCursor}
          sizes={PAGE_SIZES}
          onSize={(size) => change({ limit: PAGE_SIZES.find((one) => one === size)! })}
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
