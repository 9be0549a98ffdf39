import { useTranslation } from 'react-i18next';
import { useFormats } from '../../i18n/format.ts';
import { useColumns } from '../list/columns.tsx';
import { Filters } from '../list/Filters.tsx';
import { ListTable } from '../list/ListPanel.tsx';
import { useList } from '../list/use-list.ts';
import styles from './Payment.module.css';
import type { PaymentListProps, SoldPackage } from './payments.ts';

/** Photo packages that were paid; each opens the payment of its order, which lists its packages. */
export function SoldPackages({ call, onOpen }: PaymentListProps) {
  const { t } = useTranslation(['panels', 'admin']);
  const formats = useFormats();
  const columns = useColumns<SoldPackage>();
  const list = useList(call, 'GET /api/admin/photo-packages', {
    area: 'payments',
    rows: 'photoPackages',
    filters: { from: t('admin:list.from'), to: t('admin:list.to') },
  });
  return (
    <>
      <Filters list={list} />
      <ListTable
        list={list}
        caption={t('payments.lists.packages')}
        loading={t('payments.loadingPackages')}
        empty={{ title: t('payments.noPackages'), text: t('payments.noPackagesText') }}
        columns={[
          columns.customer,
          columns.order,
          {
            name: 'package',
            label: t('payments.package'),
            cell: ({ photoPackageType }) => t(`payments.photoPackages.${photoPackageType}`),
          },
          columns.status(({ status, refundedAmount, currency }) => (
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
          )),
          columns.amount,
          columns.day(({ purchasedAt }) => purchasedAt),
          columns.open(t('payments.view'), ({ shortId }) => t('payments.viewOne', { id: shortId }), onOpen),
        ]}
        keyOf={({ purchaseId }) => purchaseId}
        onOpen={onOpen}
      />
    </>
  );
}
