import type { AmountChoice } from '@arboleda/contracts/statement.ts';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isProblem } from '../../api/problem.ts';
import { FieldError } from '../../design/components/Field.tsx';
import { useFormats } from '../../i18n/format.ts';
import { SearchBox } from '../list/SearchBox.tsx';
import { DecideForm, type DecideFormProps, idsOf } from './DecideForm.tsx';
import styles from './Statements.module.css';
import { differenceOf, type FoundOrder, type Row, useTransferSearch } from './statements.ts';

/** Candidates of all rows, each once. */
const candidatesOf = (rows: readonly Row[]) => [
  ...new Map(rows.flatMap(({ orders }) => orders).map((order) => [order.orderId, order])).values(),
];

/** Which transfer the rows pay, and what becomes of a sum that is not the one asked for. */
export function LinkForm({ call, rows, decision, onDecide, onClose }: DecideFormProps) {
  const { t } = useTranslation('statements');
  const formats = useFormats();
  const id = useId();
  const candidates = candidatesOf(rows).filter(({ verificationStatus }) => verificationStatus !== 'rejected');
  const [q, setQ] = useState('');
  const search = useTransferSearch(call, q);
  const found = (search.data ?? []).filter((one) =>
    candidates.every(({ orderId }) => orderId !== one.orderId),
  );
  const orders: readonly (FoundOrder & { paidAmount?: number; referenceNumber?: string | undefined })[] = [
    ...candidates,
    ...found,
  ];
  const [orderId, setOrderId] = useState(candidates[0]?.orderId ?? '');
  const [choice, setChoice] = useState<AmountChoice>();
  const [isAsked, setAsked] = useState(false);
  const order = orders.find((one) => one.orderId === orderId);
  const difference = order && differenceOf(rows, order);
  /** The sum is judged by the server: other rows may have paid a part of an order that the search found. */
  const isOther = difference !== undefined || isProblem(decision.error, 'amount-choice-required');
  const choices: readonly AmountChoice[] =
    difference?.kind === 'less'
      ? ['wait', 'change-trees', 'give-back']
      : difference?.kind === 'more'
        ? ['give-back', 'change-trees']
        : ['wait', 'give-back', 'change-trees'];
  const submit = () => {
    setAsked(true);
    if (!order || (isOther && !choice)) return;
    onDecide({
      kind: 'link',
      body: { rowIds: idsOf(rows), orderId: order.orderId, ...(isOther && choice && { choice }) },
    });
  };
  return (
    <>
      {/* Outside the form, which Enter would submit. */}
      <div>
        <SearchBox label={t('link.search')} value={q} maxLength={120} onSearch={setQ} />
        <p role="status" className="small quiet">
          {q !== '' && search.isSuccess && t('link.found', { count: found.length })}
          {search.isError && t('link.searchFailed')}
        </p>
      </div>
      <DecideForm decision={decision} onClose={onClose} submit={t('link.submit')} onSubmit={submit}>
        {orders.length > 0 && (
          <fieldset className={styles.fields} aria-describedby={`${id}-error`}>
            <legend>{t('link.order')}</legend>
            {orders.map((one) => (
              <label key={one.orderId} className={styles.option}>
                <input
                  type="radio"
                  name={id}
                  checked={one.orderId === orderId}
                  onChange={() => {
                    decision.reset();
                    setOrderId(one.orderId);
                    setChoice(undefined);
                  }}
                />
                <span>
                  <strong className="tabular">{one.shortId}</strong> {one.customerName}{' '}
                  <span className="tabular">{formats.money(one.amount, one.currency)}</span>
                  {one.referenceNumber && <span className="quiet"> · {one.referenceNumber}</span>}
                </span>
              </label>
            ))}
          </fieldset>
        )}
        <FieldError id={`${id}-error`}>{isAsked && !order && t('link.missing')}</FieldError>
        {order && isOther && (
          <fieldset className={styles.fields} aria-describedby={`${id}-choice`}>
            <legend>
              {difference
                ? t(`difference.${difference.kind}`, { amount: formats.money(difference.by, order.currency) })
                : t('difference.other')}
            </legend>
            {choices.map((one) => (
              <label key={one} className={styles.option}>
                <input
                  type="radio"
                  name={`${id}-choice`}
                  checked={one === choice}
                  onChange={() => setChoice(one)}
                />
                <span>
                  {one === 'give-back' && difference
                    ? t(`choices.give-back-${difference.kind}`)
                    : t(`choices.${one}`)}
                </span>
              </label>
            ))}
            <FieldError id={`${id}-choice`}>{isAsked && !choice && t('difference.missing')}</FieldError>
          </fieldset>
        )}
      </DecideForm>
    </>
  );
}
