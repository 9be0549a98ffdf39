import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Alert } from '../../design/components/Alert.tsx';
import { Button } from '../../design/components/Button.tsx';
import { useFormats } from '../../i18n/format.ts';
import type { PanelProps } from '../panel.ts';
import { choiceOf, Choices, ListState, Panel, useSearch } from '../shared/Panel.tsx';
import { Paging, TO_FIRST_PAGE } from '../list/Paging.tsx';
import { SearchBox } from '../list/SearchBox.tsx';
import bulk from '../orders/Bulk.module.css';
import shared from '../shared/shared.module.css';
import { ApproveSure } from './ApproveSure.tsx';
import { Debits } from './Debits.tsx';
import { DEBIT_VIEWS, type DebitView, useReturnsCount } from './debits.ts';
import { DecideDialog, UndoDialog } from './DecideDialog.tsx';
import { ImportStatement } from './ImportStatement.tsx';
import { RowTable } from './RowTable.tsx';
import { type List, type Outcome, pageRowsOf, type Row, ROW_LISTS, useRows } from './statements.ts';
import { useMay } from '../permissions.tsx';

const VIEWS = [...ROW_LISTS, ...DEBIT_VIEWS];
const isDebitView = (view: List | DebitView): view is DebitView => DEBIT_VIEWS.some((one) => one === view);

/** The bank's statements: their import, and the credits and debits on them by list. */
export function StatementsPanel({ session: { call } }: PanelProps) {
  const { t } = useTranslation('statements');
  const { t: fromPanels } = useTranslation('panels');
  const formats = useFormats();
  const may = useMay();
  const search = useSearch();
  const view = choiceOf(search.get('list'), VIEWS);
  const list = isDebitView(view) ? ROW_LISTS[0] : view;
  const q = search.get('q') ?? '';
  const query = useRows(call, { list, q: q || undefined, cursor: search.get('cursor') ?? undefined });
  const [asked, setAsked] = useState<{ rows: readonly Row[]; isUndo: boolean }>();
  const [chosen, setChosen] = useState<{ list: List; ids: ReadonlySet<string> }>({ list, ids: new Set() });
  const [outcome, setOutcome] = useState<Outcome>();
  const isOtherList = query.data !== undefined && query.data.list !== list;
  const rows = isOtherList ? [] : (query.data?.rows ?? []);
  const counts = query.data?.counts;
  const returns = useReturnsCount(call).data;
  const picked = chosen.list === list ? rows.filter(({ rowId }) => chosen.ids.has(rowId)) : [];
  const isOpen = list === 'perhaps' || list === 'unknown' || list === 'without-order';

  const countOf: Partial<Record<List, number | undefined>> = {
    sure: counts?.sure,
    perhaps: counts?.perhaps,
    unknown: counts?.unknown,
    'without-order': counts?.withoutOrder,
  };
  const choose = (of: readonly Row[], isChosen: boolean) => {
    const ids = new Set(picked.map(({ rowId }) => rowId));
    for (const { rowId } of of)
      if (isChosen) ids.add(rowId);
      else ids.delete(rowId);
    setChosen({ list, ids });
  };
  const show = (to: List | DebitView) =>
    search.set({ list: to === ROW_LISTS[0] ? null : to, ...TO_FIRST_PAGE });
  const textOf = (name: List | DebitView, count: number | undefined) =>
    count === undefined
      ? t(`lists.${name}`)
      : t('lists.counted', { list: t(`lists.${name}`), shown: formats.number(count) });
  const close = () => setAsked(undefined);
  const done = (what: Outcome) => {
    setOutcome(what);
    setChosen({ list, ids: new Set() });
    close();
  };
  return (
    <Panel title={t('title')}>
      {may('statements:write') && <ImportStatement call={call} onImported={() => show('sure')} />}
      <Choices<List | DebitView>
        label={t('lists.label')}
        chosen={view}
        choices={[
          ...ROW_LISTS.map((name) => ({ name, text: textOf(name, countOf[name]) })),
          ...DEBIT_VIEWS.map((name) => ({
            name,
            text: textOf(name, name === 'returns' ? returns : undefined),
          })),
        ]}
        onChoose={(to) => {
          setOutcome(undefined);
          show(to);
        }}
      />
      <p className="quiet">{t(`lists.about.${view}`)}</p>
      {outcome && <Alert kind="good">{t(`outcomes.${outcome}`)}</Alert>}
      <div className={shared.filters}>
        <SearchBox
          label={t('search')}
          value={q}
          maxLength={120}
          onSearch={(words, replace) => search.set({ q: words, ...TO_FIRST_PAGE }, { replace })}
        />
      </div>
      {isDebitView(view) ? (
        <Debits key={view} call={call} view={view} q={q} cursor={search.get('cursor') ?? undefined} />
      ) : (
        <>
          {list === 'sure' && may('statements:write') && (
            <ApproveSure call={call} rows={rows} all={counts?.sure ?? 0} />
          )}
          <ListState
            query={{ ...query, isPending: query.isPending || isOtherList }}
            loading={t('loading')}
            empty={
              rows.length > 0
                ? undefined
                : { title: t(`empty.${list}`), text: q ? fromPanels('list.emptyFilter') : t('emptyText') }
            }
          >
            <RowTable
              list={list}
              rows={rows}
              isOld={query.isPlaceholderData}
              onDecide={(row) => setAsked({ rows: [row], isUndo: false })}
              onUndo={(row) => setAsked({ rows: [row], isUndo: true })}
              {...(isOpen &&
                may('statements:write') && {
                  selection: {
                    chosen: new Set(picked.map(({ rowId }) => rowId)),
                    onChoose: choose,
                    labelOf: ({ day, text, name }: Row) =>
                      t('choose', { day: formats.calendarDay(day), text: name ?? text }),
                    labelOfAll: t('chooseAll'),
                  },
                })}
            />
            {picked.length > 0 && (
              <div role="region" aria-label={t('chosenLabel')} className={bulk.bar}>
                <p role="status">
                  <strong>{t('chosen', { count: picked.length })}</strong>
                </p>
                <Button size="small" onClick={() => setAsked({ rows: picked, isUndo: false })}>
                  {t('decide')}
                </Button>
                <Button size="small" look="text" onClick={() => setChosen({ list, ids: new Set() })}>
                  {t('clear')}
                </Button>
              </div>
            )}
            <Paging rows={rows.length} limit={pageRowsOf(list)} next={query.data?.nextCursor} />
          </ListState>
        </>
      )}
      {asked && !asked.isUndo && <DecideDialog call={call} rows={asked.rows} onClose={close} onDone={done} />}
      {asked?.isUndo && <UndoDialog call={call} row={asked.rows[0]!} onClose={close} onDone={done} />}
    </Panel>
  );
}
