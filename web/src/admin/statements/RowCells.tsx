import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { useFormats } from '../../i18n/format.ts';
import styles from './Statements.module.css';
import type { Candidate, List, Row } from './statements.ts';

/** Payer and text of a row, and what is unusual about it. */
export function RowText({ row }: { row: Row }) {
  const { t } = useTranslation('statements');
  const formats = useFormats();
  const { text, name, partOf, sameAs, returns = [], isReversal } = row;
  return (
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
  );
}

/** The orders that a row may pay, or the decision. */
export function RowOrders({ row: { orders, decision }, list }: { row: Row; list: List }) {
  const { t } = useTranslation('statements');
  return (
    <span className={styles.orders}>
      {orders.map((order) => (
        <Order key={order.orderId} order={order} />
      ))}
      {decision && list === 'done' && <DecisionOf decision={decision} />}
      {orders.length === 0 && list !== 'done' && <span className="quiet">{t('noOrder')}</span>}
    </span>
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
