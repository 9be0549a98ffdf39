import { useTranslation } from 'react-i18next';
import { Button } from '../../design/components/Button.tsx';
import { Icon } from '../../design/components/Icon.tsx';
import { hourglass } from '../../design/components/icons.ts';
import { useFormats } from '../../i18n/format.ts';
import type { PanelProps } from '../panel.ts';
import { choiceOf, Choices, ListState, Panel, useSearch } from '../shared/Panel.tsx';
import { TO_FIRST_PAGE, Paging } from '../list/Paging.tsx';
import { useAge } from '../shared/duration.ts';
import styles from './OldestTransfer.module.css';
import { ReviewDialog } from './ReviewDialog.tsx';
import { TransferTable } from './TransferTable.tsx';
import { PAGE_ROWS, STATES, useLiveTransfers, useTransfers } from './transfers.ts';

/** Waiting time of the oldest transfer against the promised time. */
function OldestTransfer({ total, since, onReview }: { total: number; since: string; onReview: () => void }) {
  const { t } = useTranslation('panels');
  const age = useAge();
  return (
    <div className={styles.oldest}>
      <Icon of={hourglass} />
      <p className={styles.text}>
        <strong>{t('transfers.waiting', { count: total })}</strong>{' '}
        {t('transfers.oldest', { age: age(since) })}
      </p>
      <Button size="small" onClick={onReview}>
        {t('transfers.reviewNext')}
      </Button>
    </div>
  );
}

export function TransfersPanel({ session }: PanelProps) {
  const { t } = useTranslation('panels');
  const formats = useFormats();
  const search = useSearch();
  const state = choiceOf(search.get('state'), STATES);
  const query = useTransfers(session.call, state, search.get('cursor') ?? undefined);
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
        onChoose={(name) => search.set({ state: name === 'pending' ? null : name, ...TO_FIRST_PAGE })}
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
        <Paging rows={orders.length} limit={PAGE_ROWS} next={query.data?.nextCursor} />
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
