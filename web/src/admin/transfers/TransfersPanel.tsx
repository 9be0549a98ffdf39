import { useTranslation } from 'react-i18next';
import { useFormats } from '../../i18n/format.ts';
import { AFTER, choiceOf, Choices, ListState, Pages, Panel, useSearch } from '../shared/Panel.tsx';
import type { PanelProps } from '../panel.ts';
import { ReviewDialog } from './ReviewDialog.tsx';
import { OldestTransfer } from './OldestTransfer.tsx';
import { STATES, useLiveTransfers, useTransfers } from './transfers.ts';
import { TransferTable } from './TransferTable.tsx';

/** Waiting and decided bank transfers. */
export function TransfersPanel({ session }: PanelProps) {
  const { t } = useTranslation('desk');
  const formats = useFormats();
  const search = useSearch();
  const state = choiceOf(search.get('state'), STATES);
  const query = useTransfers(session.call, state, search.get(AFTER) ?? undefined);
  useLiveTransfers(session.call);
  const review = (id: string) => search.set({ transfer: id });
  const orders = query.data?.orders ?? [];
  return (
    <Panel title={t('transfers.title')} count={query.data && formats.number(query.data.total)}>
      {state === 'pending' && query.data?.oldestAt && (
        <OldestTransfer
          total={query.data.total}
          since={query.data.oldestAt}
          onReview={() => orders[0] && review(orders[0]._id)}
        />
      )}
      <Choices
        label={t('transfers.filter')}
        chosen={state}
        choices={STATES.map((name) => ({ name, text: t(`transfers.states.${name}`) }))}
        onChoose={(name) => search.set({ state: name === 'pending' ? null : name, [AFTER]: null })}
      />
      <ListState
        query={query}
        loading={t('transfers.loading')}
        empty={
          orders.length > 0
            ? undefined
            : state === 'pending'
              ? { title: t('transfers.empty'), text: t('transfers.emptyText') }
              : { title: t('transfers.noneDecided'), text: t('transfers.noneDecidedText') }
        }
      >
        <TransferTable transfers={orders} state={state} onReview={review} />
        <Pages next={query.data?.nextCursor} />
      </ListState>
      <ReviewDialog
        session={session}
        id={search.get('transfer')}
        onOpen={(id) => search.set({ transfer: id }, { replace: true })}
        onClose={() => search.set({ transfer: null }, { replace: true })}
      />
    </Panel>
  );
}
