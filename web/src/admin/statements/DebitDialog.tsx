import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Alert } from '../../design/components/Alert.tsx';
import { Button } from '../../design/components/Button.tsx';
import { Dialog } from '../../design/components/Dialog.tsx';
import { FieldError } from '../../design/components/Field.tsx';
import { useFormats } from '../../i18n/format.ts';
import type { PortalCall } from '../../session/session.ts';
import { useMay } from '../permissions.tsx';
import { useOnce } from '../shared/files.tsx';
import shared from '../shared/shared.module.css';
import { Credit } from './Credit.tsx';
import { type Debit, type DebitDecision, useDebitDecision } from './debits.ts';
import styles from './Statements.module.css';
import { useRefusal } from './statements.ts';

interface Props {
  call: PortalCall;
  debit: Debit;
  onClose: () => void;
  onDone: () => void;
}

interface Choice {
  key: string;
  decision: DebitDecision;
  label: ReactNode;
  /** A sentence about the consequence. */
  effect: string;
}

/** Asks what a debit was. Mounted only while open. */
export function DebitDialog({ call, debit, onClose, onDone }: Props) {
  const { t } = useTranslation('statements');
  const { t: common } = useTranslation();
  const { refusal } = useRefusal();
  const formats = useFormats();
  const may = useMay();
  const name = useId();
  const [chosen, setChosen] = useState<string>();
  const [isAsked, setAsked] = useState(false);
  const decision = useDebitDecision(call, debit.debitId);
  const send = useOnce(decision);

  const choices: Choice[] = [
    ...(may('refunds:write')
      ? debit.credits.flatMap((credit) => {
          const approved = credit.orders.filter(
            ({ verificationStatus }) => verificationStatus === 'approved',
          );
          // One choice for each paid order: the refund is noted there.
          const orders = approved.length > 0 ? approved : [undefined];
          return orders.map((order) => ({
            key: `${credit.rowId ?? ''} ${order?.orderId ?? ''}`,
            decision: { kind: 'return' as const, rowId: credit.rowId, orderId: order?.orderId },
            label: (
              <>
                {t('debits.isReturn')} <Credit credit={order ? { ...credit, orders: [order] } : credit} />
              </>
            ),
            effect: order
              ? t('debits.returnPaid', { amount: formats.money(debit.amount, debit.currency) })
              : t('debits.returnOpen'),
          }));
        })
      : []),
    ...debit.refunds.map((refund) => ({
      key: refund.refundId,
      decision: { kind: 'refund' as const, refundId: refund.refundId },
      label: t('debits.isRefund', {
        order: refund.shortId,
        name: refund.customerName,
        day: formats.day(refund.createdAt),
      }),
      effect: t('debits.refundEffect'),
    })),
    {
      key: 'dismiss',
      decision: { kind: 'dismiss' as const },
      label: t('debits.isOther'),
      effect: t('debits.otherEffect', { count: debit.heldOrders.length }),
    },
  ];
  const choice = choices.find(({ key }) => key === chosen);

  return (
    <Dialog open onClose={onClose} width="wide" title={t('debits.title')}>
      <form
        className={shared.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setAsked(true);
          if (choice) send(choice.decision, { onSuccess: onDone });
        }}
      >
        <p>
          {debit.name && <strong>{debit.name}</strong>} {debit.text}
          <br />
          <span className="quiet">{formats.calendarDay(debit.day)}</span>{' '}
          <strong className="tabular">{formats.money(debit.amount, debit.currency)}</strong>
        </p>
        <fieldset className={styles.fields} aria-describedby={`${name}-error`}>
          <legend>{t('debits.what')}</legend>
          {choices.map(({ key, label }) => (
            <label key={key} className={styles.option}>
              <input type="radio" name={name} checked={key === chosen} onChange={() => setChosen(key)} />
              <span>{label}</span>
            </label>
          ))}
        </fieldset>
        {choice && <p className="quiet">{choice.effect}</p>}
        <FieldError id={`${name}-error`}>{isAsked && !choice && t('debits.missing')}</FieldError>
        {decision.isError && <Alert kind="wrong">{refusal(decision.error)}</Alert>}
        <div className={styles.acts}>
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button type="submit" look="accent" working={decision.isPending && t('working')}>
            {t('debits.submit')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
