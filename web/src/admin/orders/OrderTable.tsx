import { type Header, useTable } from '@tanstack/react-table';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../design/components/Icon.tsx';
import { arrowDown, arrowUp } from '../../design/components/icons.ts';
import { useFormats } from '../../i18n/format.ts';
import { type RowActions, type ColumnName, columnsOf, features, sortingOf, sortOf } from './columns.tsx';
import type { Sort } from './use-listing.ts';
import type { OrderRow } from './orders.ts';
import styles from './OrderTable.module.css';

interface Props extends RowActions {
  orders: readonly OrderRow[];
  sort: Sort;
  onSort: (sort: Sort) => void;
  /** Another page is loading. */
  isOld: boolean;
}

/**
 * A table on desktops; on phones each row is a labeled card. Explicit roles are needed because browsers drop table
 * semantics with other layouts.
 */
export function OrderTable({ orders, sort, onSort, isOld, onOpen, onStatus }: Props) {
  const { t, i18n } = useTranslation('admin');
  const formats = useFormats();
  const columns = useMemo(
    () => columnsOf(t, formats, { onOpen, onStatus }),
    // The formats follow the language.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [t, i18n.language, onOpen, onStatus],
  );
  const sorting = sortingOf(sort);
  const table = useTable({
    features,
    columns,
    data: orders,
    state: { sorting },
    manualSorting: true,
    enableMultiSort: false,
    getRowId: (order) => order._id,
    onSortingChange: (change) => onSort(sortOf(typeof change === 'function' ? change(sorting) : change)),
  });
  return (
    <table role="table" className={`${styles.table} ${isOld ? styles.old : ''}`} aria-busy={isOld}>
      <caption className="visually-hidden">{t('orders.title')}</caption>
      <thead role="rowgroup">
        {table.getHeaderGroups().map((group) => (
          <tr role="row" key={group.id}>
            {group.headers.map((header) => (
              <Head key={header.id} header={header} />
            ))}
          </tr>
        ))}
      </thead>
      <tbody role="rowgroup">
        {table.getRowModel().rows.map((row) => (
          <tr role="row" key={row.id}>
            {row.getAllCells().map((cell) =>
              cell.column.id === 'order' ? (
                <th role="rowheader" scope="row" key={cell.id} className={`tabular ${styles.order}`}>
                  {row.original.shortId}
                </th>
              ) : (
                <td role="cell" key={cell.id} className={styles[cell.column.id as ColumnName]}>
                  <table.FlexRender cell={cell} />
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Head({ header }: { header: Header<typeof features, OrderRow, unknown> }) {
  const { t } = useTranslation('admin');
  const { column } = header;
  const name = column.id as ColumnName;
  const sorted = column.getIsSorted();
  const words = t(`columns.${name}`);
  return (
    <th
      role="columnheader"
      scope="col"
      className={styles[name]}
      aria-sort={sorted ? (sorted === 'asc' ? 'ascending' : 'descending') : undefined}
    >
      {name === 'actions' && <span className="visually-hidden">{words}</span>}
      {name !== 'actions' && !column.getCanSort() && words}
      {column.getCanSort() && (
        <button type="button" className={styles.sort} onClick={() => column.toggleSorting()}>
          {words}
          <Icon
            of={sorted === 'asc' ? arrowUp : arrowDown}
            size="small"
            className={sorted ? styles.sorted! : styles.unsorted!}
          />
        </button>
      )}
    </th>
  );
}
