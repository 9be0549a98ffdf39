import { useTranslation } from 'react-i18next';
import { useFormats } from '../../i18n/format.ts';
import { useColumns } from '../list/columns.tsx';
import { ListPanel } from '../list/ListPanel.tsx';
import { useSearch } from '../list/use-address.ts';
import { useList } from '../list/use-list.ts';
import type { PanelProps } from '../panel.ts';
import { useAge } from '../shared/duration.ts';
import { OldestTransfer } from './OldestTransfer.tsx';
import { ReviewDialog } from './ReviewDialog.tsx';
import { TransferLook } from './TransferLook.tsx';
import { LIST, REFRESH_MS, STATES, type Transfer, useLiveTransfers } from './transfers.ts';

export function TransfersPanel({ session }: PanelProps) {
  const { t } = useTranslation('panels');
  const formats = useFormats();
  const age = useAge();
  const search = useSearch();
  const columns = useColumns<Transfer>();
  const list = useList(session.call, LIST, {
    area: 'transfers',
    rows: 'orders',
    filters: {
      status: {
        at: 'state',
        label: t('transfers.filter'),
        only: STATES,
        of: (state) => t(`transfers.states.${state as 'pending'}`),
      },
    },
    refreshMs: REFRESH_MS,
  });
  useLiveTransfers(session.call);
  const review = ({ _id }: Transfer) => search.set({ transfer: _id });
  const { answer, rows, asked } = list;
  const isPending = asked.status === 'pending';
  return (
    <ListPanel
      list={list}
      title={t('transfers.title')}
      count={answer && formats.number(answer.total)}
      before={
        isPending &&
        answer?.oldestAt && (
          <OldestTransfer
            total={answer.total}
            since={answer.oldestAt}
            onReview={() => rows[0] && review(rows[0])}
          />
        )
      }
      loading={t('transfers.loading')}
      empty={
        isPending
          ? { title: t('transfers.empty'), text: t('transfers.emptyText') }
          : { title: t('transfers.noneDecided'), text: t('transfers.noneDecidedText') }
      }
      columns={[
        columns.customer,
        columns.order,
        columns.method,
        columns.amount,
        columns.date(({ createdAt }) => (
          <span>
            {formats.day(createdAt)}
            {isPending && (
              <>
                <br />
                <span className="quiet">{t('transfers.waits', { age: age(createdAt) })}</span>
              </>
            )}
          </span>
        )),
        {
          name: 'flags',
          label: t('transfers.look'),
          cell: ({ manualPayment }) => <TransferLook {...manualPayment} />,
        },
        columns.open(
          t('transfers.review'),
          ({ customerName }) => t('transfers.reviewOne', { name: customerName }),
          review,
        ),
      ]}
      keyOf={({ _id }) => _id}
      onOpen={review}
    >
      <ReviewDialog
        session={session}
        id={search.get('transfer')}
        onOpen={(id) => search.set({ transfer: id }, { replace: true })}
        onClose={() => search.set({ transfer: null }, { replace: true })}
      />
    </ListPanel>
  );
}
