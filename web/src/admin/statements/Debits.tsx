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
import { Credit, OrderLink } from './Credit.tsx';
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
            cell: (debit) => <About debit={debit} />,
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

function DebitText({ debit: { text, name, number, isReversal } }: { debit: Debit }) {
  const { t } = useTranslation('statements');
  return (
    <span className={styles.text}>
      {name && (
        <>
          <strong>{name}</strong>
          <br />
        </>
      )}
      {text} {number && <span className="quiet">{number}</span>}
      {isReversal && <strong className={styles.same}>{t('debits.isReversal')}</strong>}
    </span>
  );
}

/** The decision, or the credits that it may have taken back and the orders that wait for it. */
function About({ debit: { credits, heldOrders, refund, decision } }: { debit: Debit }) {
  const { t } = useTranslation('statements');
  const formats = useFormats();
  return (
    <span className={styles.orders}>
      {decision && (
        <span className="quiet">
          {t(`debits.decisions.${decision.kind}`, {
            name: decision.by.name ?? t('debits.product'),
            day: formats.day(decision.at),
          })}
        </span>
      )}
      {refund && (
        <span>
          <OrderLink order={refund} />
        </span>
      )}
      {decision?.kind !== 'other' &&
        credits.map((credit) => <Credit key={credit.rowId ?? credit.orders[0]?.orderId} credit={credit} />)}
      {heldOrders.length > 0 && (
        <strong className={styles.same}>{t('debits.held', { count: heldOrders.length })}</strong>
      )}
      {!decision && credits.length === 0 && <span className="quiet">{t('debits.none')}</span>}
    </span>
  );
}
