import { bankNameOf } from '@arboleda/contracts/payment-method.ts';
import { useTranslation } from 'react-i18next';
import { SelectField } from '../../design/components/Field.tsx';
import { Button } from '../../design/components/Button.tsx';
import { Money } from '../../design/components/Money.tsx';
import { useFormats } from '../../i18n/format.ts';
import shared from '../shared/shared.module.css';
import { type Column, DataTable } from '../../design/components/DataTable.tsx';
import { choiceOf, Choices, ListState, Panel, useSearch } from '../shared/Panel.tsx';
import { TO_FIRST_PAGE, Paging } from '../list/Paging.tsx';
import { SearchBox } from '../list/SearchBox.tsx';
import type { PortalCall } from '../../session/session.ts';
import type { PanelProps } from '../panel.ts';
import { Days } from './Days.tsx';
import { PaymentDialog, PaymentState } from './PaymentDialog.tsx';
import { type ListedPayment, PAGE_ROWS, STATUSES, usePayments } from './payments.ts';
import { SoldPackages } from './SoldPackages.tsx';

/** The list shows payments for trees, or for photo packages. */
const LISTS = ['trees', 'packages'] as const;

export function PaymentsPanel({ session: { call } }: PanelProps) {
  const { t } = useTranslation('panels');
  const search = useSearch();
  const shown = choiceOf(search.get('of'), LISTS);
  return (
    <Panel
      title={t('payments.title')}
      actions={
        <Choices
          label={t('payments.which')}
          chosen={shown}
          choices={LISTS.map((name) => ({ name, text: t(`payments.lists.${name}`) }))}
          onChoose={(of) =>
            search.set({ of: of === LISTS[0] ? null : of, status: null, q: null, ...TO_FIRST_PAGE })
          }
        />
      }
    >
      {shown === 'trees' ? <TreePayments call={call} /> : <SoldPackages call={call} />}
      <PaymentDialog
        call={call}
        id={search.get('payment')}
        onClose={() => search.set({ payment: null }, { replace: true })}
      />
    </Panel>
  );
}

function TreePayments({ call }: { call: PortalCall }) {
  const { t } = useTranslation('panels');
  const search = useSearch();
  const filter = {
    status: choiceOf(search.get('status'), STATUSES),
    q: search.get('q') ?? '',
    from: search.get('from') ?? '',
    to: search.get('to') ?? '',
  };
  const query = usePayments(call, { ...filter, cursor: search.get('cursor') ?? undefined });
  const narrow = (change: Partial<typeof filter>, replace = false) =>
    search.set({ ...change, ...TO_FIRST_PAGE }, { replace });
  const payments = query.data?.payments ?? [];
  const isFiltered = Object.values(filter).some(Boolean);
  return (
    <>
      <div className={shared.filters}>
        <SearchBox
          label={t('payments.search')}
          value={filter.q}
          maxLength={120}
          onSearch={(q, replace) => narrow({ q }, replace)}
        />
        <SelectField
          label={t('payments.status')}
          value={filter.status}
          onChange={(event) => narrow({ status: event.target.value as typeof filter.status })}
        >
          {STATUSES.map((status) => (
            <option key={status} value={status}>
              {status === '' ? t('payments.any') : t(`payments.statuses.${status}`)}
            </option>
          ))}
        </SelectField>
        <Days from={filter.from} to={filter.to} onChange={narrow} />
      </div>
      <ListState
        query={query}
        loading={t('payments.loading')}
        empty={
          payments.length > 0
            ? undefined
            : {
                title: t('payments.empty'),
                text: isFiltered ? t('list.emptyFilter') : t('payments.emptyText'),
              }
        }
      >
        <Table payments={payments} onOpen={(payment) => search.set({ payment })} />
        <Paging rows={payments.length} limit={PAGE_ROWS} next={query.data?.nextCursor} />
      </ListState>
    </>
  );
}

function Table({ payments, onOpen }: { payments: readonly ListedPayment[]; onOpen: (id: string) => void }) {
  const { t } = useTranslation('panels');
  const { t: admin } = useTranslation('admin');
  const formats = useFormats();
  const columns: Column<ListedPayment>[] = [
    {
      name: 'customer',
      label: admin('columns.customer'),
      cell: ({ customerName, customerEmail }) => (
        <span>
          <strong>{customerName}</strong>
          <br />
          <span className="quiet">{customerEmail}</span>
        </span>
      ),
    },
    {
      name: 'order',
      label: admin('columns.order'),
      cell: ({ shortId }) => <span className="tabular">{shortId}</span>,
    },
    {
      name: 'method',
      label: t('facts.method'),
      cell: ({ method }) => t(`methods.${method.kind}`, { bank: bankNameOf(method) }),
    },
    { name: 'status', label: admin('columns.status'), cell: (payment) => <PaymentState payment={payment} /> },
    {
      name: 'amount',
      label: admin('columns.amount'),
      isNumber: true,
      cell: ({ amount, currency }) => <Money amountMinor={amount} currency={currency} />,
    },
    { name: 'date', label: admin('columns.date'), cell: ({ createdAt }) => formats.briefDay(createdAt) },
    {
      name: 'action',
      label: admin('columns.actions'),
      isAction: true,
      cell: ({ paymentId, shortId }) => (
        <Button
          size="small"
          aria-label={t('payments.viewOne', { id: shortId })}
          onClick={() => onOpen(paymentId)}
        >
          {t('payments.view')}
        </Button>
      ),
    },
  ];
  return (
    <DataTable
      caption={t('payments.title')}
      columns={columns}
      rows={payments}
      keyOf={({ paymentId }) => paymentId}
      onOpen={({ paymentId }) => onOpen(paymentId)}
    />
  );
}
