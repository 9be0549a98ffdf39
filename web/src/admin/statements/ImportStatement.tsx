import { BANKS } from '@arboleda/contracts/payment-method.ts';
import {
  COLUMN_ROLES,
  type ColumnRole,
  type DayOrder,
  MAX_STATEMENT_BYTES,
} from '@arboleda/contracts/statement.ts';
import { useId, useState } from 'react';
import { useDropzone } from 'react-dropzone';
import { useTranslation } from 'react-i18next';
import { Alert } from '../../design/components/Alert.tsx';
import { Button } from '../../design/components/Button.tsx';
import { Facts } from '../../design/components/Facts.tsx';
import { FieldError, SelectField } from '../../design/components/Field.tsx';
import { upload as uploadIcon } from '../../design/components/icons.ts';
import { Money } from '../../design/components/Money.tsx';
import { useFormats } from '../../i18n/format.ts';
import type { PortalCall } from '../../session/session.ts';
import { type Column, DataTable } from '../shared/DataTable.tsx';
import { useOnce } from '../shared/files.tsx';
import shared from '../shared/shared.module.css';
import styles from './Statements.module.css';
import {
  type Draft,
  type Imported,
  useConfirm,
  useLayout,
  useRefusal,
  useStatements,
  useUpload,
} from './statements.ts';

interface Props {
  call: PortalCall;
  onImported: () => void;
}

/** Takes the bank's file, shows what was understood of it, and imports it once that is confirmed. */
export function ImportStatement({ call, onImported }: Props) {
  const [draft, setDraft] = useState<Draft>();
  const [imported, setImported] = useState<Imported>();
  return draft ? (
    <DraftReview
      key={draft.statementId}
      call={call}
      draft={draft}
      onChange={setDraft}
      onDiscard={() => setDraft(undefined)}
      onImported={(statement) => {
        setImported(statement);
        setDraft(undefined);
        onImported();
      }}
    />
  ) : (
    <DropFile
      call={call}
      imported={imported}
      onRead={(read) => {
        setImported(undefined);
        setDraft(read);
      }}
    />
  );
}

function DropFile({
  call,
  imported,
  onRead,
}: {
  call: PortalCall;
  imported: Imported | undefined;
  onRead: (draft: Draft) => void;
}) {
  const { t } = useTranslation('statements');
  const formats = useFormats();
  const { refusal, sentenceOf } = useRefusal();
  const lastDays = useStatements(call).data?.lastDays;
  const upload = useUpload(call);
  const send = useOnce(upload);
  const [isTooLarge, setTooLarge] = useState(false);
  const onDrop = ([file]: File[]) => {
    if (!file) return;
    upload.reset();
    setTooLarge(file.size > MAX_STATEMENT_BYTES);
    if (file.size <= MAX_STATEMENT_BYTES) send(file, { onSuccess: onRead });
  };
  const { getRootProps, getInputProps, isDragActive, open } = useDropzone({
    noClick: true,
    noKeyboard: true,
    multiple: false,
    // Accepts every file, so that another one gets an explanation.
    onDrop: (accepted, refused) => onDrop([...accepted, ...refused.map(({ file }) => file)]),
  });
  const error = isTooLarge
    ? sentenceOf('statement-too-large')
    : upload.isError
      ? refusal(upload.error)
      : undefined;
  return (
    <div className={styles.import}>
      {imported && (
        <Alert kind="good">
          {t('import.done', { count: imported.credits.count, file: imported.fileName })}{' '}
          {t('import.added', { count: imported.added })}{' '}
          {imported.approved > 0 && t('import.approved', { count: imported.approved })}
        </Alert>
      )}
      <div
        {...getRootProps({
          role: 'group',
          'aria-label': t('import.title'),
          className: `${styles.drop} ${isDragActive ? styles.over : ''} ${error ? styles.wrong : ''}`,
        })}
      >
        <input
          {...getInputProps({ accept: '.csv,.txt,.xlsx,.ofx,.qfx,.xml', 'aria-label': t('import.choose') })}
        />
        <Button icon={uploadIcon} working={upload.isPending && t('import.reading')} onClick={open}>
          {t('import.choose')}
        </Button>
        <div>
          <p className={styles.mouse}>{t('import.drop')}</p>
          <p className="small quiet">{t('import.hint', { size: formats.fileSize(MAX_STATEMENT_BYTES) })}</p>
          {lastDays && (
            <p className="small quiet">
              {lastDays.length === 0
                ? t('import.none')
                : lastDays
                    .map(({ bank, day }) =>
                      t('import.last', { bank: BANKS[bank].name, day: formats.calendarDay(day) }),
                    )
                    .join(' ')}
            </p>
          )}
        </div>
      </div>
      <FieldError>{error}</FieldError>
    </div>
  );
}

interface ReviewProps {
  call: PortalCall;
  draft: Draft;
  onChange: (draft: Draft) => void;
  onDiscard: () => void;
  onImported: (statement: Imported) => void;
}

/** What was understood, and the questions that the file leaves open. */
function DraftReview({ call, draft, onChange, onDiscard, onImported }: ReviewProps) {
  const { t } = useTranslation('statements');
  const formats = useFormats();
  const id = useId();
  const { refusal } = useRefusal();
  const confirm = useConfirm(call, draft.statementId);
  const send = useOnce(confirm);
  const [isChanging, setChanging] = useState(false);
  const { questions, credits, debits, known, currency, from, to, columns, otherLines } = draft;
  const isOpen = questions.length > 0;
  return (
    <section aria-labelledby={id} className={styles.draft}>
      <h3 id={id} tabIndex={-1} ref={focusOnce} className={styles.title}>
        {t('draft.title')}
      </h3>
      <Facts
        rows={[
          {
            label: t('draft.file'),
            value: t('draft.fileOf', { file: draft.fileName, format: draft.format }),
          },
          { label: t('draft.bank'), value: BANKS[draft.bank].name },
          { label: t('draft.account'), value: draft.account ?? t('draft.noAccount') },
          ...(isOpen || !from || !to
            ? []
            : [
                {
                  label: t('draft.days'),
                  value: t('draft.daysOf', { from: formats.calendarDay(from), to: formats.calendarDay(to) }),
                },
                {
                  label: t('draft.credits'),
                  value: (
                    <>
                      {t('draft.creditsOf', { count: credits.count })}{' '}
                      <Money amountMinor={credits.amount} currency={currency} />
                    </>
                  ),
                },
                {
                  label: t('draft.debits'),
                  value: (
                    <>
                      {t('draft.debitsOf', { count: debits.count })}{' '}
                      <Money amountMinor={debits.amount} currency={currency} />
                    </>
                  ),
                },
                ...(known > 0
                  ? [{ label: t('draft.known'), value: t('draft.knownOf', { count: known }) }]
                  : []),
              ]),
        ]}
      />
      {!isOpen && draft.sampleRows.length > 0 && <Samples draft={draft} />}
      {!isOpen && otherLines.length > 0 && (
        <details className="small">
          <summary>{t('draft.otherLines')}</summary>
          <ul className={styles.others}>
            {otherLines.map((line, at) => (
              <li key={at}>{line}</li>
            ))}
          </ul>
        </details>
      )}
      {isOpen || isChanging ? (
        <LayoutForm
          key={questions.join()}
          call={call}
          draft={draft}
          isChanging={isChanging}
          onRead={(read) => {
            setChanging(false);
            onChange(read);
          }}
        />
      ) : (
        columns && (
          <div>
            <Button look="text" size="small" onClick={() => setChanging(true)}>
              {t('draft.change')}
            </Button>
          </div>
        )
      )}
      {confirm.isError && <Alert kind="wrong">{refusal(confirm.error)}</Alert>}
      <div className={styles.acts}>
        <Button onClick={onDiscard}>{t('draft.discard')}</Button>
        {!isOpen && !isChanging && (
          <Button
            look="accent"
            working={confirm.isPending && t('draft.working')}
            onClick={() => send(undefined, { onSuccess: onImported })}
          >
            {t('draft.confirm', { count: credits.count })}
          </Button>
        )}
      </div>
    </section>
  );
}

/** The file's content replaces the button that had the focus. */
const focusOnce = (title: HTMLElement | null): void => title?.focus();

const SAMPLES = 3;

function Samples({ draft: { sampleRows, currency } }: { draft: Draft }) {
  const { t } = useTranslation('statements');
  const formats = useFormats();
  const rows = sampleRows.slice(0, SAMPLES).map((row, at) => ({ ...row, at }));
  const columns: Column<(typeof rows)[number]>[] = [
    { name: 'day', label: t('columns.day'), cell: ({ day }) => formats.calendarDay(day) },
    {
      name: 'text',
      label: t('columns.text'),
      cell: ({ text, name }) => (
        <span className={styles.text}>
          {text} {name && <span className="quiet">{name}</span>}
        </span>
      ),
    },
    {
      name: 'amount',
      label: t('columns.amount'),
      isNumber: true,
      cell: ({ amount }) => <Money amountMinor={amount} currency={currency} />,
    },
  ];
  return (
    <DataTable caption={t('draft.samples')} columns={columns} rows={rows} keyOf={({ at }) => String(at)} />
  );
}

/** Which column is which, and how 03/04 is read. */
function LayoutForm({
  call,
  draft,
  isChanging,
  onRead,
}: {
  call: PortalCall;
  draft: Draft;
  isChanging: boolean;
  onRead: (draft: Draft) => void;
}) {
  const { t } = useTranslation('statements');
  const formats = useFormats();
  const { refusal } = useRefusal();
  const layout = useLayout(call, draft.statementId);
  const send = useOnce(layout);
  const asksColumns = draft.columns !== undefined && (isChanging || draft.questions.includes('columns'));
  const asksDays = draft.questions.includes('day-order');
  const [roles, setRoles] = useState<Record<number, ColumnRole | ''>>(() =>
    Object.fromEntries((draft.columns ?? []).map(({ column, role }) => [column, role ?? ''])),
  );
  const [dayOrder, setDayOrder] = useState<DayOrder | ''>('');
  const [isAsked, setAsked] = useState(false);
  const given = Object.values(roles);
  const isIncomplete =
    asksColumns && !(given.includes('day') && given.some((role) => role === 'amount' || role === 'credit'));
  const submit = () => {
    setAsked(true);
    if (isIncomplete || (asksDays && dayOrder === '')) return;
    const columns = Object.entries(roles).flatMap(([column, role]) =>
      role === '' ? [] : [{ column: Number(column), role }],
    );
    send(
      { ...(asksColumns && { columns }), ...(asksDays && dayOrder !== '' && { dayOrder }) },
      { onSuccess: onRead },
    );
  };
  return (
    <form
      className={shared.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {asksColumns && (
        <fieldset className={styles.fields}>
          <legend>{t('layout.columns')}</legend>
          <p className="small quiet">{t('layout.kept')}</p>
          <div className={shared.pair}>
            {draft.columns!.map(({ column, title, samples }) => (
              <SelectField
                key={column}
                label={title || t('layout.column', { number: formats.number(column + 1) })}
                hint={samples.length > 0 && t('layout.examples', { samples: samples.join(' · ') })}
                value={roles[column] ?? ''}
                onChange={(event) => setRoles({ ...roles, [column]: event.target.value as ColumnRole | '' })}
              >
                <option value="">{t('layout.nothing')}</option>
                {COLUMN_ROLES.map((role) => (
                  <option key={role} value={role}>
                    {t(`layout.roles.${role}`)}
                  </option>
                ))}
              </SelectField>
            ))}
          </div>
          <FieldError>{isAsked && isIncomplete && t('layout.incomplete')}</FieldError>
        </fieldset>
      )}
      {asksDays && (
        <SelectField
          label={t('layout.dayOrder')}
          hint={t('layout.dayOrderHint')}
          error={isAsked && dayOrder === '' && t('layout.dayOrderMissing')}
          value={dayOrder}
          onChange={(event) => setDayOrder(event.target.value as DayOrder | '')}
        >
          <option value="">{t('layout.choose')}</option>
          <option value="dmy">{formats.calendarDay('2026-04-03')}</option>
          <option value="mdy">{formats.calendarDay('2026-03-04')}</option>
        </SelectField>
      )}
      {layout.isError && <Alert kind="wrong">{refusal(layout.error)}</Alert>}
      <div>
        <Button type="submit" working={layout.isPending && t('import.reading')}>
          {t('layout.read')}
        </Button>
      </div>
    </form>
  );
}
