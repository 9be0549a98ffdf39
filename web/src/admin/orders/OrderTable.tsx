import type { TFunction } from 'i18next';
import type { OrderStatus } from '@arboleda/contracts/order.ts';
import { useTranslation } from 'react-i18next';
import { Button } from '../../design/components/Button.tsx';
import { Icon } from '../../design/components/Icon.tsx';
import { warning } from '../../design/components/icons.ts';
import { Money } from '../../design/components/Money.tsx';
import { type Formats, useFormats } from '../../i18n/format.ts';
import { type Column, DataTable, type Selection } from '../../design/components/DataTable.tsx';
import { useMay } from '../permissions.tsx';
import { useBulkKinds } from './BulkBar.tsx';
import { isWithdrawing, type OrderRow } from './orders.ts';
import styles from './OrderTable.module.css';
import { StatusSelect } from './StatusChange.tsx';
import type { Sort } from './use-listing.ts';

export interface RowActions {
  onOpen: (id: string) => void;
  onStatus: (order: OrderRow, status: OrderStatus) => void;
}

interface Props extends RowActions {
  orders: readonly OrderRow[];
  sort: Sort;
  onSort: (sort: Sort) => void;
  chosen: ReadonlyMap<string, OrderRow>;
  onChoose: Selection<OrderRow>['onChoose'];
  /** Another page is loading. */
  isOld: boolean;
}

export function OrderTable({ orders, sort, onSort, chosen, onChoose, isOld, onOpen, onStatus }: Props) {
  const { t } = useTranslation('admin');
  const formats = useFormats();
  const may = useMay();
  const kinds = useBulkKinds();
  return (
    <DataTable
      caption={t('orders.title')}
      columns={columnsOf(t, formats, { onOpen, ...(may('orders:write') && { onStatus }) })}
      rows={orders}
      keyOf={({ _id }) => _id}
      sorting={{ sort, byDefault: 'newest', onSort: (name) => onSort(name as Sort) }}
      {...(kinds.length > 0 && {
        selection: {
          chosen: new Set(chosen.keys()),
          onChoose,
          labelOf: ({ shortId }: OrderRow) => t('bulk.chooseOne', { id: shortId }),
          labelOfAll: t('bulk.chooseAll'),
        },
      })}
      onOpen={({ _id }) => onOpen(_id)}
      isOld={isOld}
      phone="cards"
    />
  );
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

const sorts = (name: Sort, direction: 'ascending' | 'descending' = 'ascending') => [{ name, direction }];

function columnsOf(
  t: TFunction<'admin'>,
  formats: Formats,
  { onOpen, onStatus }: Pick<RowActions, 'onOpen'> & Partial<RowActions>,
): Column<OrderRow>[] {
  return [
    {
      name: 'order',
      label: t('columns.order'),
      className: styles.order,
      cell: ({ shortId, flagged }) => (
        <span className={styles.id}>
          {shortId}
          {flagged && (
            <span className={styles.flag} title={t('orders.flagged')}>
              <Icon of={warning} size="small" />
              <span className="visually-hidden">{t('orders.flagged')}</span>
            </span>
          )}
        </span>
      ),
    },
    {
      name: 'status',
      label: t('columns.status'),
      className: styles.status,
      cell: (order) => (
        <StatusSelect
          label={t('status.of', { id: order.shortId })}
          status={order.status}
          onChoose={onStatus && ((status) => onStatus(order, status))}
        />
      ),
    },
    {
      name: 'customer',
      label: t('columns.customer'),
      className: styles.customer,
      sorts: sorts('name'),
      cell: ({ customerName, customerEmail }) => (
        <>
          <span className={styles.line} title={customerName}>
            {customerName}
          </span>
          <span className={`quiet ${styles.line}`} title={customerEmail}>
            {customerEmail}
          </span>
        </>
      ),
    },
    {
      name: 'trees',
      label: t('columns.trees'),
      isNumber: true,
      className: styles.trees,
      sorts: sorts('trees', 'descending'),
      cell: ({ trees }) => (
        <>
          <span className={styles.label}>{t('columns.trees')} </span>
          {formats.number(trees)}
        </>
      ),
    },
    {
      name: 'amount',
      label: t('columns.amount'),
      isNumber: true,
      className: styles.amount,
      sorts: sorts('amount', 'descending'),
      cell: (order) => (
        <>
          <Money amountMinor={order.amount} currency={order.currency} />
          {returnedMoney(order, t, formats).map((words) => (
            <span key={words} className={`quiet ${styles.returned}`} title={words}>
              {words}
            </span>
          ))}
        </>
      ),
    },
    {
      name: 'worker',
      label: t('columns.worker'),
      className: styles.worker,
      sorts: sorts('worker'),
      cell: ({ assignedWorker, withdrawn, withdrawal }) =>
        isWithdrawing({ withdrawal }) ? (
          <strong className={styles.line} title={t('orders.withdrawing')}>
            {t('orders.withdrawing')}
          </strong>
        ) : assignedWorker ? (
          <span className={styles.line} title={assignedWorker.name}>
            {assignedWorker.name}
          </span>
        ) : (
          <span className="quiet">{withdrawn ? t('orders.withdrawn') : t('find.noWorker')}</span>
        ),
    },
    {
      name: 'region',
      label: t('columns.region'),
      className: styles.region,
      sorts: sorts('region'),
      cell: ({ region }) =>
        region ? (
          <span className={styles.line} title={region}>
            {region}
          </span>
        ) : (
          <span className="quiet">{t('details.none')}</span>
        ),
    },
    {
      name: 'date',
      label: t('columns.date'),
      className: styles.date,
      sorts: [...sorts('newest', 'descending'), ...sorts('oldest')],
      cell: ({ createdAt }) => (
        <>
          <span className={styles.whole}>{formats.day(createdAt)}</span>
          <span className={styles.brief}>{formats.briefDay(createdAt)}</span>
        </>
      ),
    },
    {
      name: 'actions',
      label: t('columns.actions'),
      isAction: true,
      className: styles.actions,
      cell: (order) => (
        <Button
          size="small"
          data-row
          aria-label={t('orders.viewOne', { id: order.shortId })}
          onClick={() => onOpen(order._id)}
        >
          {t('orders.view')}
        </Button>
      ),
    },
  ];
}
