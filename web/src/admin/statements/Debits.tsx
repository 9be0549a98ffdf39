import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Alert } from '../../design/components/Alert.tsx';
import { Button } from '../../design/components/Button.tsx';
import { Money } from '../../design/components/Money.tsx';
import { useFormats } from '../../i18n/format.ts';
import type { PortalCall } from '../../session/session.ts';
import { useMay } from '../permissions.tsx';
import { type Column, DataTable } from '../../design/components/DataTable.tsx';
import { ListState } from '../shared/Panel.tsx';
import { Paging } from '../list/Paging.tsx';
import { Credit, OrderLink } from './Credit.tsx';
import { DebitDialog } from './DebitDialog.tsx';
import { DEBITS_PAGE, type Debit, type DebitView, useDebits } from './debits.ts';
import styles from './Statements.module.css';

interface Props {
  call: PortalCall;
  view: DebitView;
  q: string;
  cursor: string | undefined;
}

/** Money that left the account: what may be the return of a credit, the rest, and what was decided. */
export function Debits({ call, view, q, cursor }: Props) {
  const { t } = useTranslation('statements');
  const { t: admin } = useTranslation('admin');
  const { t: fromPanels } = useTranslation('panels');
  const formats = useFormats();
  const may = useMay();
  const query = useDebits(call, { view, q: q || undefined, cursor });
  const [asked, setAsked] = useState<Debit>();
  const [isDone, setDone] = useState(false);
  const debits = query.data?.view === view ? query.data.debits : [];
  const columns: (Column<Debit> | false)[] = [
    {
      name: 'day',
      label: t('columns.day'),
      cell: ({ day }) => <span className={styles.day}>{formats.calendarDay(day)}</span>,
    },
    {
      name: 'text',
      label: t('debits.text'),
      cell: ({ text, name, number, isReversal }) => (
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
      ),
    },
    {
      name: 'amount',
      label: t('columns.amount'),
      isNumber: true,
      cell: ({ amount, currency }) => <Money amountMinor={amount} currency={currency} />,
    },
    {
      name: 'credits',
      label: t(view === 'debits-done' ? 'columns.decision' : 'debits.credits'),
      cell: (debit) => <About debit={debit} />,
    },
    may('statements:write') && {
      name: 'action',
      label: admin('columns.actions'),
      isAction: true,
      cell: (debit) =>
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
    },
  ];
  return (
    <>
      {isDone && <Alert kind="good">{t('debits.decided')}</Alert>}
      <ListState
        query={{ ...query, isPending: query.isPending || query.data?.view !== view }}
        loading={t('loading')}
        empty={
          debits.length > 0
            ? undefined
            : { title: t(`empty.${view}`), text: q ? fromPanels('list.emptyFilter') : t('emptyText') }
        }
      >
        <DataTable
          caption={t(`lists.${view}`)}
          columns={columns}
          rows={debits}
          keyOf={({ debitId }) => debitId}
          isOld={query.isPlaceholderData}
        />
        <Paging rows={debits.length} limit={DEBITS_PAGE} next={query.data?.nextCursor} />
      </ListState>
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
