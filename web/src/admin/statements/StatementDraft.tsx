import { BANKS } from '@arboleda/contracts/payment-method.ts';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Alert } from '../../design/components/Alert.tsx';
import { Button } from '../../design/components/Button.tsx';
import { Facts } from '../../design/components/Facts.tsx';
import { Money } from '../../design/components/Money.tsx';
import { useFormats } from '../../i18n/format.ts';
import type { PortalCall } from '../../session/session.ts';
import { type Column, DataTable } from '../../design/components/DataTable.tsx';
import { useOnce } from '../shared/files.tsx';
import { LayoutForm } from './LayoutForm.tsx';
import styles from './Statements.module.css';
import { asksOf, columnsOf, type Draft, type Imported, useConfirm, useRefusal } from './statements.ts';

interface Props {
  call: PortalCall;
  draft: Draft;
  onChange: (draft: Draft) => void;
  onDiscard: () => void;
  onImported: (statement: Imported) => void;
}

/** A file as it was read, with the questions it leaves open. */
export function StatementDraft({ call, draft, onChange, onDiscard, onImported }: Props) {
  const { t } = useTranslation('statements');
  const formats = useFormats();
  const id = useId();
  const { refusal } = useRefusal();
  const confirm = useConfirm(call, draft.statementId);
  const send = useOnce(confirm);
  const [isChanging, setChanging] = useState(false);
  const { credits, debits, known, currency, from, to, columns, otherLines } = draft;
  const questions = asksOf(draft);
  const isOpen = questions.length > 0;
  const readAs = () =>
    columnsOf(draft)
      .filter(({ role }) => role !== undefined)
      .map(({ column, title, role }) =>
        t('draft.columnOf', {
          title: title || t('layout.column', { number: formats.number(column + 1) }),
          role: t(`layout.roles.${role!}`),
        }),
      )
      .join(' · ');
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
                ...(columns ? [{ label: t('draft.columns'), value: readAs() }] : []),
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
