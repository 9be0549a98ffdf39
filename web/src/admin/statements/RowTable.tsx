import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { Button } from '../../design/components/Button.tsx';
import { Money } from '../../design/components/Money.tsx';
import { useFormats } from '../../i18n/format.ts';
import { type Column, DataTable, type Selection } from '../../design/components/DataTable.tsx';
import { instantOfDay, useAge } from '../shared/duration.ts';
import styles from './Statements.module.css';
import type { Candidate, List, Row } from './statements.ts';
import { useMay } from '../permissions.tsx';

interface Props {
  list: List;
  rows: readonly Row[];
  isOld: boolean;
  selection?: Selection<Row>;
  onDecide: (row: Row) => void;
  onUndo: (row: Row) => void;
}

export function RowTable({ list, rows, isOld, selection, onDecide, onUndo }: Props) {
  const { t } = useTranslation('statements');
  const { t: admin } = useTranslation('admin');
  const formats = useFormats();
  const age = useAge();
  const nameOf = ({ text, name }: Row) => name ?? text;
  const may = useMay();
  const columns: (Column<Row> | false)[] = [
    {
      name: 'day',
      label: t('columns.day'),
      cell: ({ day }) => <span className={styles.day}>{formats.calendarDay(day)}</span>,
    },
    {
      name: 'text',
      label: t('columns.text'),
      cell: ({ text, name, partOf, sameAs, returns = [], isReversal }) => (
        <span className={styles.text}>
          {name && (
            <>
              <strong>{name}</strong>
              <br />
            </>
          )}
          {text}
          {partOf && <span className="quiet"> {t('part')}</span>}
          {isReversal && <strong className={styles.same}>{t('debits.isReversal')}</strong>}
          {returns.map(({ debitId, day, text: why, isDecided }) => (
            <strong key={debitId} className={styles.same}>
              {t(isDecided ? 'debits.tookBack' : 'debits.mayHaveTaken', {
                day: formats.calendarDay(day),
                text: why,
              })}{' '}
              {!isDecided && <Link to="?view=statements&list=returns">{t('debits.toDebit')}</Link>}
            </strong>
          ))}
          {sameAs && (
            <strong className={styles.same}>
              {t('sameAs', { file: sameAs.fileName, day: formats.day(sameAs.importedAt) })}
            </strong>
          )}
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
      name: 'order',
      label: t(list === 'done' ? 'columns.decision' : 'columns.order'),
      cell: (row) => (
        <span className={styles.orders}>
          {row.orders.map((order) => (
            <Order key={order.orderId} order={order} />
          ))}
          {row.decision && list === 'done' && <DecisionOf decision={row.decision} />}
          {row.orders.length === 0 && list !== 'done' && <span className="quiet">{t('noOrder')}</span>}
        </span>
      ),
    },
    ...(list === 'without-order'
      ? [
          {
            name: 'owner',
            label: t('columns.owner'),
            cell: ({ owner, day }: Row) => (
              <span>
                {owner?.name ?? t('somebody')}
                <br />
                <span className="quiet">{t('since', { age: age(instantOfDay(day)) })}</span>
              </span>
            ),
          },
        ]
      : []),
    may('statements:write') && {
      name: 'action',
      label: admin('columns.actions'),
      isAction: true,
      cell: (row) => (
        <>
          {list !== 'done' && (
            <Button
              size="small"
              aria-label={t('decideOne', { day: formats.calendarDay(row.day), text: nameOf(row) })}
              onClick={() => onDecide(row)}
            >
              {t('decide')}
            </Button>
          )}
          {row.decision && (
            <Button
              size="small"
              look="text"
              aria-label={t('undoOne', { day: formats.calendarDay(row.day), text: nameOf(row) })}
              onClick={() => onUndo(row)}
            >
              {t('undo.do')}
            </Button>
          )}
        </>
      ),
    },
  ];
  return (
    <DataTable
      caption={t(`lists.${list}`)}
      columns={columns}
      rows={rows}
      keyOf={({ rowId }) => rowId}
      isOld={isOld}
      {...(selection && { selection })}
    />
  );
}

/** An order that a row may pay: its reference and sum, and why. */
function Order({ order }: { order: Candidate }) {
  const { t } = useTranslation('statements');
  const formats = useFormats();
  const { orderId, shortId, customerName, amount, currency, referenceNumber, reasons, paidAmount } = order;
  return (
    <span>
      <Link to={`?view=transfers&transfer=${orderId}`}>{shortId}</Link> {customerName}
      <br />
      <span className="tabular">{formats.money(amount, currency)}</span>
      {referenceNumber && <span className="quiet"> · {referenceNumber}</span>}
      {reasons.length > 0 && (
        <span className="quiet small">
          <br />
          {formats.list(reasons.map((reason) => t(`reasons.${reason}`)))}
        </span>
      )}
      {paidAmount > 0 && reasons.length > 0 && (
        <span className="quiet small">
          {' '}
          {t('paidBefore', { amount: formats.money(paidAmount, currency) })}
        </span>
      )}
    </span>
  );
}

function DecisionOf({ decision: { kind, by, at, reason } }: { decision: NonNullable<Row['decision']> }) {
  const { t } = useTranslation('statements');
  const formats = useFormats();
  return (
    <span className="quiet">
      {t(`decisions.${kind}`, { name: by.name ?? t('somebody'), day: formats.day(at) })} {reason}
    </span>
  );
}
