import type { AmountChoice } from '@arboleda/contracts/statement.ts';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isProblem } from '../../api/problem.ts';
import { Alert } from '../../design/components/Alert.tsx';
import { Button } from '../../design/components/Button.tsx';
import { ConfirmDialog } from '../../design/components/ConfirmDialog.tsx';
import { Dialog } from '../../design/components/Dialog.tsx';
import { Field, FieldError, TextField } from '../../design/components/Field.tsx';
import { useFormats } from '../../i18n/format.ts';
import { asLanguage } from '../../i18n/languages.ts';
import { readAmount } from '../../i18n/typed-numbers.ts';
import type { PortalCall } from '../../session/session.ts';
import { useOnce } from '../shared/files.tsx';
import { Choices } from '../shared/Panel.tsx';
import { SearchBox } from '../shared/SearchBox.tsx';
import shared from '../shared/shared.module.css';
import styles from './Statements.module.css';
import {
  type Decision,
  differenceOf,
  type FoundOrder,
  type Outcome,
  type Row,
  useRefusal,
  useRowDecision,
  useTransferSearch,
} from './statements.ts';

interface Props {
  call: PortalCall;
  rows: readonly Row[];
  onClose: () => void;
  onDone: (outcome: Outcome) => void;
}

const KINDS = ['link', 'split', 'ignore', 'keep'] as const;
type Kind = (typeof KINDS)[number];

/** What is to become of rows. Mounted only while open. */
export function DecideDialog({ call, rows, onClose, onDone }: Props) {
  const { t } = useTranslation('statements');
  const [kind, setKind] = useState<Kind>('link');
  const decision = useRowDecision(call);
  const send = useOnce(decision);
  const kinds = KINDS.filter((one) => one !== 'split' || rows.length === 1);
  const form: FormProps = {
    call,
    rows,
    decision,
    onClose,
    onDecide: (request) => send(request, { onSuccess: onDone }),
  };
  return (
    <Dialog open onClose={onClose} width="wide" title={t('decideTitle', { count: rows.length })}>
      <RowLines rows={rows} />
      <Choices
        label={t('kinds.label')}
        chosen={kind}
        choices={kinds.map((name) => ({ name, text: t(`kinds.${name}`) }))}
        onChoose={(name) => {
          decision.reset();
          setKind(name);
        }}
      />
      {kind === 'link' && <LinkForm {...form} />}
      {kind === 'split' && <SplitForm {...form} />}
      {kind === 'ignore' && <IgnoreForm {...form} />}
      {kind === 'keep' && <KeepForm {...form} />}
    </Dialog>
  );
}

function RowLines({ rows }: Pick<Props, 'rows'>) {
  const { t } = useTranslation('statements');
  const formats = useFormats();
  return (
    // A list that scrolls must be reachable by keyboard.
    <ul className={styles.lines} tabIndex={0} aria-label={t('decideTitle', { count: rows.length })}>
      {rows.map(({ rowId, day, text, name, amount, currency }) => (
        <li key={rowId} className={styles.line}>
          <span>
            {name && <strong>{name}</strong>} {text}
          </span>
          <span className="quiet">{formats.calendarDay(day)}</span>
          <strong className="tabular">{formats.money(amount, currency)}</strong>
        </li>
      ))}
    </ul>
  );
}

interface FormProps extends Pick<Props, 'call' | 'rows' | 'onClose'> {
  decision: ReturnType<typeof useRowDecision>;
  onDecide: (decision: Decision) => void;
}

function Form({
  decision,
  submit,
  onSubmit,
  onClose,
  children,
}: Pick<FormProps, 'decision' | 'onClose'> & { submit: string; onSubmit: () => void; children: ReactNode }) {
  const { t } = useTranslation('statements');
  const { t: common } = useTranslation();
  const { refusal } = useRefusal();
  return (
    <form
      className={shared.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
      {decision.isError && <Alert kind="wrong">{refusal(decision.error)}</Alert>}
      <div className={styles.acts}>
        <Button onClick={onClose}>{common('cancel')}</Button>
        <Button type="submit" look="accent" working={decision.isPending && t('working')}>
          {submit}
        </Button>
      </div>
    </form>
  );
}

const idsOf = (rows: readonly Row[]) => rows.map(({ rowId }) => rowId);

/** Candidates of all rows, each once. */
const candidatesOf = (rows: readonly Row[]) => [
  ...new Map(rows.flatMap(({ orders }) => orders).map((order) => [order.orderId, order])).values(),
];

function LinkForm({ call, rows, decision, onDecide, onClose }: FormProps) {
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
      <Form decision={decision} onClose={onClose} submit={t('link.submit')} onSubmit={submit}>
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
      </Form>
    </>
  );
}

const MAX_PARTS = 20;

function SplitForm({ rows, decision, onDecide, onClose }: FormProps) {
  const { t, i18n } = useTranslation('statements');
  const formats = useFormats();
  const row = rows[0]!;
  const [parts, setParts] = useState(['', '']);
  const [isAsked, setAsked] = useState(false);
  const money = (amount: number) => formats.money(amount, row.currency);
  const amounts = parts.map((typed) => {
    const read = readAmount(typed, row.currency, asLanguage(i18n.language) ?? 'en');
    return typeof read === 'number' && read > 0 ? read : undefined;
  });
  const left = row.amount - amounts.reduce<number>((sum, amount) => sum + (amount ?? 0), 0);
  const isRight = left === 0 && amounts.every((amount) => amount !== undefined);
  return (
    <Form
      decision={decision}
      onClose={onClose}
      submit={t('split.submit', { count: parts.length })}
      onSubmit={() => {
        setAsked(true);
        if (isRight)
          onDecide({ kind: 'split', body: { rowId: row.rowId, amounts: amounts.map((amount) => amount!) } });
      }}
    >
      <p>{t('split.text')}</p>
      {parts.map((typed, at) => (
        <div key={at} className={styles.part}>
          <Field
            label={t('split.part', { number: formats.number(at + 1), currency: row.currency })}
            inputMode="decimal"
            autoComplete="off"
            maxLength={40}
            value={typed}
            error={isAsked && amounts[at] === undefined && t('split.noAmount')}
            onChange={(event) =>
              setParts(parts.map((part, other) => (other === at ? event.target.value : part)))
            }
          />
          {parts.length > 2 && (
            <Button
              aria-label={t('split.removeOne', { number: formats.number(at + 1) })}
              onClick={() => setParts(parts.filter((_part, other) => other !== at))}
            >
              {t('split.remove')}
            </Button>
          )}
        </div>
      ))}
      <p role="status" className={isAsked && left !== 0 ? shared.brick : 'quiet'}>
        {left === 0
          ? t('split.right')
          : left > 0
            ? t('split.left', { amount: money(left) })
            : t('split.over', { amount: money(-left) })}
      </p>
      {parts.length < MAX_PARTS && (
        <div>
          <Button size="small" onClick={() => setParts([...parts, ''])}>
            {t('split.add')}
          </Button>
        </div>
      )}
    </Form>
  );
}

function IgnoreForm({ rows, decision, onDecide, onClose }: FormProps) {
  const { t } = useTranslation('statements');
  const [reason, setReason] = useState('');
  const [isAsked, setAsked] = useState(false);
  return (
    <Form
      decision={decision}
      onClose={onClose}
      submit={t('ignore.submit')}
      onSubmit={() => {
        setAsked(true);
        if (reason.trim() !== '')
          onDecide({ kind: 'ignore', body: { rowIds: idsOf(rows), reason: reason.trim() } });
      }}
    >
      <TextField
        label={t('ignore.reason')}
        hint={t('ignore.hint')}
        rows={2}
        maxLength={1000}
        value={reason}
        error={isAsked && reason.trim() === '' && t('ignore.missing')}
        onChange={(event) => setReason(event.target.value)}
      />
    </Form>
  );
}

function KeepForm({ rows, decision, onDecide, onClose }: FormProps) {
  const { t } = useTranslation('statements');
  return (
    <Form
      decision={decision}
      onClose={onClose}
      submit={t('keep.submit')}
      onSubmit={() => onDecide({ kind: 'keep', body: { rowIds: idsOf(rows) } })}
    >
      <p>{t('keep.text')}</p>
    </Form>
  );
}

/** Takes a decision back. */
export function UndoDialog({
  call,
  row,
  onClose,
  onDone,
}: Pick<Props, 'call' | 'onClose' | 'onDone'> & { row: Row }) {
  const { t } = useTranslation('statements');
  const { refusal } = useRefusal();
  const decision = useRowDecision(call);
  const send = useOnce(decision);
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={t('undo.title')}
      confirm={t('undo.confirm')}
      working={decision.isPending && t('working')}
      error={decision.isError && refusal(decision.error)}
      onConfirm={() => send({ kind: 'undo', body: { rowIds: [row.rowId] } }, { onSuccess: onDone })}
    >
      <RowLines rows={[row]} />
      <p>{t('undo.text')}</p>
    </ConfirmDialog>
  );
}
