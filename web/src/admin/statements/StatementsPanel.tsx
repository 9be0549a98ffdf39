import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Alert } from '../../design/components/Alert.tsx';
import { useFormats } from '../../i18n/format.ts';
import { Choices } from '../list/Choices.tsx';
import { Filters } from '../list/Filters.tsx';
import { TO_FIRST_PAGE } from '../list/Paging.tsx';
import { choiceOf, useSearch } from '../list/use-address.ts';
import { useList } from '../list/use-list.ts';
import type { PanelProps } from '../panel.ts';
import { useMay } from '../permissions.tsx';
import { Panel } from '../shared/Panel.tsx';
import { ApproveSure } from './ApproveSure.tsx';
import { Debits } from './Debits.tsx';
import { DEBIT_VIEWS, type DebitView, useReturnsCount } from './debits.ts';
import { ImportStatement } from './ImportStatement.tsx';
import { RowList } from './RowList.tsx';
import { type List, type Outcome, pageRowsOf, REFRESH_MS, ROW_LISTS } from './statements.ts';

const VIEWS = [...ROW_LISTS, ...DEBIT_VIEWS];
const isDebitView = (view: List | DebitView): view is DebitView => DEBIT_VIEWS.some((one) => one === view);

/** The bank's statements: their import, and the credits and debits on them by list. */
export function StatementsPanel({ session: { call } }: PanelProps) {
  const { t } = useTranslation('statements');
  const formats = useFormats();
  const may = useMay();
  const search = useSearch();
  const [outcome, setOutcome] = useState<Outcome>();
  const view = choiceOf(search.get('list'), VIEWS);
  const name = isDebitView(view) ? ROW_LISTS[0] : view;
  const list = useList(call, 'GET /api/admin/statement-rows', {
    area: 'statements',
    rows: 'rows',
    query: { limit: pageRowsOf(name), list: name },
    filters: { q: t('search') },
    refreshMs: REFRESH_MS,
  });
  // The counts are right even while another list loads.
  const counts = list.answer?.counts;
  const countOf: Partial<Record<List | DebitView, number | undefined>> = {
    sure: counts?.sure,
    perhaps: counts?.perhaps,
    unknown: counts?.unknown,
    'without-order': counts?.withoutOrder,
    returns: useReturnsCount(call).data,
  };
  const textOf = (one: List | DebitView) => {
    const count = countOf[one];
    if (count === undefined) return t(`lists.${one}`);
    return t('lists.counted', { list: t(`lists.${one}`), shown: formats.number(count) });
  };
  const show = (to: List | DebitView) =>
    search.set({ list: to === ROW_LISTS[0] ? null : to, ...TO_FIRST_PAGE });
  return (
    <Panel title={t('title')}>
      {may('statements:write') && <ImportStatement call={call} onImported={() => show('sure')} />}
      <Choices<List | DebitView>
        label={t('lists.label')}
        chosen={view}
        choices={VIEWS.map((one) => ({ name: one, text: textOf(one) }))}
        onChoose={(to) => {
          setOutcome(undefined);
          show(to);
        }}
      />
      <p className="quiet">{t(`lists.about.${view}`)}</p>
      {outcome && <Alert kind="good">{t(`outcomes.${outcome}`)}</Alert>}
      <Filters list={list} />
      {view === 'sure' && may('statements:write') && (
        <ApproveSure call={call} rows={list.rows} all={counts?.sure ?? 0} />
      )}
      {isDebitView(view) ? (
        <Debits key={view} call={call} view={view} />
      ) : (
        <RowList key={view} call={call} name={view} list={list} onDone={setOutcome} />
      )}
    </Panel>
  );
}
