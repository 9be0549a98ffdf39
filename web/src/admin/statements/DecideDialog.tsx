import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../design/components/ConfirmDialog.tsx';
import { Dialog } from '../../design/components/Dialog.tsx';
import { TextField } from '../../design/components/Field.tsx';
import { useFormats } from '../../i18n/format.ts';
import type { PortalCall } from '../../session/session.ts';
import { useOnce } from '../shared/files.tsx';
import { Choices } from '../list/Choices.tsx';
import { DecideForm, type DecideFormProps, idsOf } from './DecideForm.tsx';
import { LinkForm } from './LinkForm.tsx';
import { SplitForm } from './SplitForm.tsx';
import styles from './Statements.module.css';
import { type Outcome, type Row, useRefusal, useRowDecision } from './statements.ts';

interface Props {
  call: PortalCall;
  rows: readonly Row[];
  onClose: () => void;
  onDone: (outcome: Outcome) => void;
}

const KINDS = ['link', 'split', 'ignore', 'keep'] as const;
type Kind = (typeof KINDS)[number];

/** Asks what to do with rows. Mounted only while open. */
export function DecideDialog({ call, rows, onClose, onDone }: Props) {
  const { t } = useTranslation('statements');
  const [kind, setKind] = useState<Kind>('link');
  const decision = useRowDecision(call);
  const send = useOnce(decision);
  const kinds = KINDS.filter((one) => one !== 'split' || rows.length === 1);
  const form: DecideFormProps = {
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

function IgnoreForm({ rows, decision, onDecide, onClose }: DecideFormProps) {
  const { t } = useTranslation('statements');
  const [reason, setReason] = useState('');
  const [isAsked, setAsked] = useState(false);
  return (
    <DecideForm
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
    </DecideForm>
  );
}

function KeepForm({ rows, decision, onDecide, onClose }: DecideFormProps) {
  const { t } = useTranslation('statements');
  return (
    <DecideForm
      decision={decision}
      onClose={onClose}
      submit={t('keep.submit')}
      onSubmit={() => onDecide({ kind: 'keep', body: { rowIds: idsOf(rows) } })}
    >
      <p>{t('keep.text')}</p>
    </DecideForm>
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
