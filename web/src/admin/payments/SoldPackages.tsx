import { useTranslation } from 'react-i18next';
import { Button } from '../../design/components/Button.tsx';
import { Money } from '../../design/components/Money.tsx';
import { useFormats } from '../../i18n/format.ts';
import type { PortalCall } from '../../session/session.ts';
import { type Column, DataTable } from '../../design/components/DataTable.tsx';
import { ListState, useSearch } from '../shared/Panel.tsx';
import { Paging, TO_FIRST_PAGE } from '../list/Paging.tsx';
import shared from '../shared/shared.module.css';
import { Days } from './Days.tsx';
import styles from './Payment.module.css';
import { PAGE_ROWS, type SoldPackage, useSoldPackages } from './payments.ts';

/** Photo packages that were paid; each opens the payment of its order, which lists its packages. */
export function SoldPackages({ call }: { call: PortalCall }) {
  const { t } = useTranslation('panels');
  const search = useSearch();
  const days = { from: search.get('from') ?? '', to: search.get('to') ?? '' };
  const query = useSoldPackages(call, { ...days, cursor: search.get('cursor') ?? undefined });
  const sold = query.data?.photoPackages ?? [];
  return (
    <>
      <div className={shared.filters}>
        <Days {...days} onChange={(change) => search.set({ ...change, ...TO_FIRST_PAGE })} />
      </div>
      <ListState
        query={query}
        loading={t('payments.loadingPackages')}
        empty={
          sold.length > 0
            ? undefined
            : {
                title: t('payments.noPackages'),
                text: days.from || days.to ? t('list.emptyFilter') : t('payments.noPackagesText'),
              }
        }
      >
        <Table sold={sold} onOpen={(payment) => search.set({ payment })} />
        <Paging rows={sold.length} limit={PAGE_ROWS} next={query.data?.nextCursor} />
      </ListState>
    </>
  );
}

function Table({ sold, onOpen }: { sold: readonly SoldPackage[]; onOpen: (paymentId: string) => void }) {
  const { t } = useTranslation('panels');
  const { t: admin } = useTranslation('admin');
  const formats = useFormats();
  const columns: Column<SoldPackage>[] = [
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
      name: 'package',
      label: t('payments.package'),
      cell: ({ photoPackageType }) => t(`payments.photoPackages.${photoPackageType}`),
    },
    {
      name: 'status',
      label: admin('columns.status'),
      cell: ({ status, refundedAmount, currency }) => (
        <span>
          <span className={styles.status}>{t(`payments.packageStatuses.${status}`)}</span>
          {refundedAmount > 0 && (
            <>
              <br />
              <span className="quiet">
                {t('payments.refundedPart', { amount: formats.money(refundedAmount, currency) })}
              </span>
            </>
          )}
        </span>
      ),
    },
    {
      name: 'amount',
      label: admin('columns.amount'),
      isNumber: true,
      cell: ({ amount, currency }) => <Money amountMinor={amount} currency={currency} />,
    },
    { name: 'date', label: admin('columns.date'), cell: ({ purchasedAt }) => formats.briefDay(purchasedAt) },
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
      caption={t('payments.lists.packages')}
      columns={columns}
      rows={sold}
      keyOf={({ purchaseId }) => purchaseId}
      onOpen={({ paymentId }) => onOpen(paymentId)}
    />
  );
}
