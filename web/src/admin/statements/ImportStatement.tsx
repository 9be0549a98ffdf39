import { BANKS } from '@arboleda/contracts/payment-method.ts';
import { MAX_STATEMENT_BYTES } from '@arboleda/contracts/statement.ts';
import { useState } from 'react';
import { useDropzone } from 'react-dropzone';
import { useTranslation } from 'react-i18next';
import { Alert } from '../../design/components/Alert.tsx';
import { Button } from '../../design/components/Button.tsx';
import { FieldError } from '../../design/components/Field.tsx';
import { upload as uploadIcon } from '../../design/components/icons.ts';
import { useFormats } from '../../i18n/format.ts';
import type { PortalCall } from '../../session/session.ts';
import { useOnce } from '../shared/files.tsx';
import { StatementDraft } from './StatementDraft.tsx';
import styles from './Statements.module.css';
import { type Draft, type Imported, useRefusal, useStatements, useUpload } from './statements.ts';

interface Props {
  call: PortalCall;
  onImported: () => void;
}

/** Takes the bank's file, shows what was understood of it, and imports it once that is confirmed. */
export function ImportStatement({ call, onImported }: Props) {
  const [draft, setDraft] = useState<Draft>();
  const [imported, setImported] = useState<Imported>();
  return draft ? (
    <StatementDraft
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
