import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../design/components/Button.tsx';
import { useFormats } from '../../i18n/format.ts';
import type { PortalCall } from '../../session/session.ts';
import { useColumns } from '../list/columns.tsx';
import { ListTable } from '../list/ListPanel.tsx';
import type { Listed } from '../list/use-list.ts';
import bulk from '../orders/Bulk.module.css';
import { useMay } from '../permissions.tsx';
import { instantOfDay, useAge } from '../shared/duration.ts';
import { DecideDialog, UndoDialog } from './DecideDialog.tsx';
import { RowOrders, RowText } from './RowCells.tsx';
import styles from './Statements.module.css';
import type { List, Outcome, Row } from './statements.ts';

interface Props {
  call: PortalCall;
  name: List;
  list: Listed<Row>;
  onDone: (outcome: Outcome) => void;
}

/** Credits on statements in one list, which are decided one by one or several together. */
export function RowList({ call, name, list, onDone }: Props) {
  const { t } = useTranslation('statements');
  const formats = useFormats();
  const age = useAge();
  const may = useMay();
  const columns = useColumns<Row>();
  const [asked, setAsked] = useState<{ rows: readonly Row[]; isUndo: boolean }>();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const picked = list.rows.filter(({ rowId }) => chosen.has(rowId));
  const isOpen = name === 'perhaps' || name === 'unknown' || name === 'without-order';
  const named = (row: Row) => ({ day: formats.calendarDay(row.day), text: row.name ?? row.text });
  const choose = (rows: readonly Row[], isChosen: boolean) => {
    const ids = new Set(picked.map(({ rowId }) => rowId));
    for (const { rowId } of rows)
      if (isChosen) ids.add(rowId);
      else ids.delete(rowId);
    setChosen(ids);
  };
  const close = () => setAsked(undefined);
  const done = (what: Outcome) => {
    setChosen(new Set());
    close();
    onDone(what);
  };
  return (
    <>
      <ListTable
        list={list}
        caption={t(`lists.${name}`)}
        loading={t('loading')}
        empty={{ title: t(`empty.${name}`), text: t('emptyText') }}
        columns={[
          {
            name: 'day',
            label: t('columns.day'),
            cell: ({ day }) => <span className={styles.day}>{formats.calendarDay(day)}</span>,
          },
          { name: 'text', label: t('columns.text'), cell: (row) => <RowText row={row} /> },
          columns.amount,
          {
            name: 'order',
            label: t(name === 'done' ? 'columns.decision' : 'columns.order'),
            cell: (row) => <RowOrders row={row} list={name} />,
          },
          name === 'without-order' && {
            name: 'owner',
            label: t('columns.owner'),
            cell: ({ owner, day }) => (
              <span>
                {owner?.name ?? t('somebody')}
                <br />
                <span className="quiet">{t('since', { age: age(instantOfDay(day)) })}</span>
              </span>
            ),
          },
          may('statements:write') &&
            columns.actions((row) => (
              <>
                {name !== 'done' && (
                  <Button
                    size="small"
                    aria-label={t('decideOne', named(row))}
                    onClick={() => setAsked({ rows: [row], isUndo: false })}
                  >
                    {t('decide')}
                  </Button>
                )}
                {row.decision && (
                  <Button
                    size="small"
                    look="text"
                    aria-label={t('undoOne', named(row))}
                    onClick={() => setAsked({ rows: [row], isUndo: true })}
                  >
                    {t('undo.do')}
                  </Button>
                )}
              </>
            )),
        ]}
        keyOf={({ rowId }) => rowId}
        selection={
          isOpen && may('statements:write')
            ? {
                chosen: new Set(picked.map(({ rowId }) => rowId)),
                onChoose: choose,
                labelOf: (row) => t('choose', named(row)),
                labelOfAll: t('chooseAll'),
              }
            : undefined
        }
        below={
          picked.length > 0 && (
            <Picked
              count={picked.length}
              onDecide={() => setAsked({ rows: picked, isUndo: false })}
              onClear={() => setChosen(new Set())}
            />
          )
        }
      />
      {asked && !asked.isUndo && <DecideDialog call={call} rows={asked.rows} onClose={close} onDone={done} />}
      {asked?.isUndo && <UndoDialog call={call} row={asked.rows[0]!} onClose={close} onDone={done} />}
    </>
  );
}

function Picked({ count, onDecide, onClear }: { count: number; onDecide: () => void; onClear: () => void }) {
  const { t } = useTranslation('statements');
  return (
    <div role="region" aria-label={t('chosenLabel')} className={bulk.bar}>
      <p role="status">
        <strong>{t('chosen', { count })}</strong>
      </p>
      <Button size="small" onClick={onDecide}>
        {t('decide')}
      </Button>
      <Button size="small" look="text" onClick={onClear}>
        {t('clear')}
      </Button>
    </div>
  );
}
