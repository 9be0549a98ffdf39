import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Alert } from '../../design/components/Alert.tsx';
import { Button } from '../../design/components/Button.tsx';
import { useFormats } from '../../i18n/format.ts';
import type { PortalCall } from '../../session/session.ts';
import { useColumns } from '../list/columns.tsx';
import { ListTable } from '../list/ListPanel.tsx';
import { useList } from '../list/use-list.ts';
import { useMay } from '../permissions.tsx';
import { DebitAbout, DebitText } from './DebitCells.tsx';
import { DebitDialog } from './DebitDialog.tsx';
import { type Debit, type DebitView, LISTS } from './debits.ts';
import styles from './Statements.module.css';
import { REFRESH_MS } from './statements.ts';

/** Money that left the account: what may be the return of a credit, the rest, and what was decided. */
export function Debits({ call, view }: { call: PortalCall; view: DebitView }) {
  const { t } = useTranslation('statements');
  const formats = useFormats();
  const may = useMay();
  const columns = useColumns<Debit>();
  const list = useList(call, 'GET /api/admin/statement-debits', {
    area: 'statements',
    rows: 'debits',
    query: { list: LISTS[view] },
    filters: { q: t('search') },
    refreshMs: REFRESH_MS,
  });
  const [asked, setAsked] = useState<Debit>();
  const [isDone, setDone] = useState(false);
  return (
    <>
      {isDone && <Alert kind="good">{t('debits.decided')}</Alert>}
      <ListTable
        list={list}
        caption={t(`lists.${view}`)}
        loading={t('loading')}
        empty={{ title: t(`empty.${view}`), text: t('emptyText') }}
        columns={[
          {
            name: 'day',
            label: t('columns.day'),
            cell: ({ day }) => <span className={styles.day}>{formats.calendarDay(day)}</span>,
          },
          { name: 'text', label: t('debits.text'), cell: (debit) => <DebitText debit={debit} /> },
          columns.amount,
          {
            name: 'credits',
            label: t(view === 'debits-done' ? 'columns.decision' : 'debits.credits'),
            cell: (debit) => <DebitAbout debit={debit} />,
          },
          may('statements:write') &&
            columns.actions(
              (debit) =>
                debit.decision?.kind !== 'return' && (
                  <Button
                    size="small"
                    aria-label={t('decideOne', {
                      day: formats.calendarDay(debit.day),
                      text: debit.name ?? debit.text,
                    })}
                    onClick={() => {
                      setDone(false);
                      setAsked(debit);
                    }}
                  >
                    {t('decide')}
                  </Button>
                ),
            ),
        ]}
        keyOf={({ debitId }) => debitId}
      />
      {asked && (
        <DebitDialog
          call={call}
          debit={asked}
          onClose={() => setAsked(undefined)}
          onDone={() => {
            setAsked(undefined);
            setDone(true);
          }}
        />
      )}
    </>
  );
}
