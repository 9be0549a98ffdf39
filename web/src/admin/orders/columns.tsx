import {
  createColumnHelper,
  rowSortingFeature,
  type SortingState,
  tableFeatures,
} from '@tanstack/react-table';
import type { TFunction } from 'i18next';
import type { OrderStatus } from '@arboleda/contracts/order.ts';
import { Button } from '../../design/components/Button.tsx';
import { Money } from '../../design/components/Money.tsx';
import type { Formats } from '../../i18n/format.ts';
import type { Sort } from './use-listing.ts';
import type { OrderRow } from './orders.ts';
import styles from './OrderTable.module.css';
import { StatusSelect } from './StatusChange.tsx';

export const features = tableFeatures({ rowSortingFeature });
const helper = createColumnHelper<typeof features, OrderRow>();

export type ColumnName = 'order' | 'status' | 'customer' | 'trees' | 'amount' | 'date' | 'actions';

/** Server sort orders as column sorting; `changed` has no column. */
const SORTED_BY: Record<Sort, SortingState> = {
  newest: [{ id: 'date', desc: true }],
  oldest: [{ id: 'date', desc: false }],
  trees: [{ id: 'trees', desc: true }],
  amount: [{ id: 'amount', desc: true }],
  name: [{ id: 'customer', desc: false }],
  changed: [],
};

export const sortingOf = (sort: Sort): SortingState => SORTED_BY[sort];

/** Falls back to the newest for an unsupported sorting; a second press on a head clears it. */
export function sortOf([first]: SortingState): Sort {
  const sorts = Object.keys(SORTED_BY) as Sort[];
  const known = sorts.find((sort) => {
    const [own] = SORTED_BY[sort];
    return own !== undefined && own.id === first?.id && own.desc === first.desc;
  });
  return known ?? 'newest';
}

export interface RowActions {
  onOpen: (id: string) => void;
  onStatus: (order: OrderRow, status: OrderStatus) => void;
}

/** Refunds and lost disputes of an order and its packages, in words. */
function returnedMoney(order: OrderRow, t: TFunction<'admin'>, formats: Formats): string[] {
  const describe = (
    { refundedAmount, lostAmount, currency }: Pick<OrderRow, 'refundedAmount' | 'lostAmount' | 'currency'>,
    of: 'trees' | 'package',
  ) => [
    ...(refundedAmount ? [t(`wentBack.${of}`, { amount: formats.money(refundedAmount, currency) })] : []),
    ...(lostAmount ? [t(`wentBack.${of}Lost`, { amount: formats.money(lostAmount, currency) })] : []),
  ];
  return [...describe(order, 'trees'), ...(order.growth ?? []).flatMap((one) => describe(one, 'package'))];
}

export function columnsOf(t: TFunction<'admin'>, formats: Formats, { onOpen, onStatus }: RowActions) {
  const fixed = { enableSorting: false } as const;
  return helper.columns([
    helper.accessor('shortId', { id: 'order', ...fixed }),
    helper.accessor('status', {
      ...fixed,
      cell: ({ row: { original: order } }) => (
        <StatusSelect
          label={t('status.of', { id: order.shortId })}
          status={order.status}
          onChoose={(status) => onStatus(order, status)}
        />
      ),
    }),
    helper.accessor('customerName', {
      id: 'customer',
      cell: ({ row: { original: order } }) => (
        <>
          {order.customerName}
          <br />
          <span className="quiet">{order.customerEmail}</span>
        </>
      ),
    }),
    helper.accessor('trees', {
      sortDescFirst: true,
      cell: ({ getValue }) => (
        <>
          <span className={styles.label}>{t('columns.trees')} </span>
          {formats.number(getValue())}
        </>
      ),
    }),
    helper.accessor('amount', {
      sortDescFirst: true,
      cell: ({ row: { original: order } }) => (
        <>
          <Money amountMinor={order.amount} currency={order.currency} />
          {returnedMoney(order, t, formats).map((words) => (
            <span key={words} className="quiet">
              <br />
              {words}
            </span>
          ))}
        </>
      ),
    }),
    helper.accessor('createdAt', {
      id: 'date',
      sortDescFirst: true,
      cell: ({ getValue }) => formats.day(getValue()),
    }),
    helper.display({
      id: 'actions',
      ...fixed,
      cell: ({ row: { original: order } }) => (
        <Button
          size="small"
          data-row
          aria-label={t('orders.viewOne', { id: order.shortId })}
          onClick={() => onOpen(order._id)}
        >
          {t('orders.view')}
        </Button>
      ),
    }),
  ]);
}
