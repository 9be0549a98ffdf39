import { useTranslation } from 'react-i18next';
import { useFormats } from '../../i18n/format.ts';
import { Credit, OrderLink } from './Credit.tsx';
import type { Debit } from './debits.ts';
import styles from './Statements.module.css';

/** Payee and text of a debit. */
export function DebitText({ debit: { text, name, number, isReversal } }: { debit: Debit }) {
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
export function DebitAbout({ debit: { credits, heldOrders, refund, decision } }: { debit: Debit }) {
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
