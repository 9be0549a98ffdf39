import { useTranslation } from 'react-i18next';
import { Choices } from '../list/Choices.tsx';
import { useColumns } from '../list/columns.tsx';
import { Filters } from '../list/Filters.tsx';
import { ListTable } from '../list/ListPanel.tsx';
import { TO_FIRST_PAGE } from '../list/Paging.tsx';
import { choiceOf, useSearch } from '../list/use-address.ts';
import { useList } from '../list/use-list.ts';
import type { PanelProps } from '../panel.ts';
import { Panel } from '../shared/Panel.tsx';
import { PaymentDialog } from './PaymentDialog.tsx';
import { PaymentState } from './PaymentState.tsx';
import type { ListedPayment, PaymentListProps } from './payments.ts';
import { SoldPackages } from './SoldPackages.tsx';

/** The list shows payments for trees, or for photo packages. */
const LISTS = ['trees', 'packages'] as const;

export function PaymentsPanel({ session: { call } }: PanelProps) {
  const { t } = useTranslation('panels');
  const search = useSearch();
  const shown = choiceOf(search.get('of'), LISTS);
  const open = ({ paymentId }: { paymentId: string }) => search.set({ payment: paymentId });
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
      {shown === 'trees' ? (
        <TreePayments call={call} onOpen={open} />
      ) : (
        <SoldPackages call={call} onOpen={open} />
      )}
      <PaymentDialog
        call={call}
        id={search.get('payment')}
        onClose={() => search.set({ payment: null }, { replace: true })}
      />
    </Panel>
  );
}

function TreePayments({ call, onOpen }: PaymentListProps) {
  const { t } = useTranslation(['panels', 'admin']);
  const columns = useColumns<ListedPayment>();
  const list = useList(call, 'GET /api/admin/payments', {
    area: 'payments',
    rows: 'payments',
    filters: {
      q: t('payments.search'),
      status: {
        label: t('payments.status'),
        any: t('payments.any'),
        of: (status) => t(`payments.statuses.${status}`),
      },
      from: t('admin:list.from'),
      to: t('admin:list.to'),
    },
  });
  return (
    <>
      <Filters list={list} />
      <ListTable
        list={list}
        caption={t('payments.title')}
        loading={t('payments.loading')}
        empty={{ title: t('payments.empty'), text: t('payments.emptyText') }}
        columns={[
          columns.customer,
          columns.order,
          columns.method,
          columns.status((payment) => <PaymentState payment={payment} />),
          columns.amount,
          columns.day(({ createdAt }) => createdAt),
          columns.open(t('payments.view'), ({ shortId }) => t('payments.viewOne', { id: shortId }), onOpen),
        ]}
        keyOf={({ paymentId }) => paymentId}
        onOpen={onOpen}
      />
    </>
  );
}
