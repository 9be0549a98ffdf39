import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../design/components/Icon.tsx';
import { close, warning } from '../../design/components/icons.ts';
import { useFormats } from '../../i18n/format.ts';
import type { PortalCall } from '../../session/session.ts';
import { FileImage, usePrivateFile } from '../shared/files.tsx';
import { enlarge, turn } from '../shared/icons.ts';
import styles from './Evidence.module.css';
import type { EvidenceFile, Transfer } from './transfers.ts';

interface Props {
  file: Blob;
  name: string;
  onClose: () => void;
}

/** Evidence in full-window view: fitted or full size, rotatable. */
function EvidenceZoom({ file, name, onClose }: Props) {
  const { t } = useTranslation('panels');
  const { t: common } = useTranslation();
  const dialog = useRef<HTMLDialogElement>(null);
  const [isActual, setActual] = useState(false);
  const [turned, setTurned] = useState(0);
  useEffect(() => {
    if (!dialog.current?.open) dialog.current?.showModal();
  }, []);
  return (
    <dialog ref={dialog} className={`on-forest ${styles.enlarged}`} aria-label={name} onClose={onClose}>
      <div className={styles.scroll} data-turned={turned} tabIndex={0} role="group" aria-label={name}>
        <FileImage
          className={isActual ? styles.actual : styles.whole}
          file={file}
          alt={t('review.proof', { name })}
        />
      </div>
      <div className={styles.controls}>
        <button type="button" aria-pressed={isActual} onClick={() => setActual(!isActual)}>
          <Icon of={enlarge} />
          {t('review.actualSize')}
        </button>
        <button type="button" onClick={() => setTurned((turned + 90) % 360)}>
          <Icon of={turn} />
          {t('review.turn')}
        </button>
        <button type="button" aria-label={common('close')} onClick={() => dialog.current?.close()}>
          <Icon of={close} />
        </button>
      </div>
    </dialog>
  );
}

const useEvidence = (call: PortalCall, filename: string) =>
  usePrivateFile(['evidence', filename], (signal) =>
    call('GET /api/admin/manual-payments/evidence/{filename}', {
      params: { filename },
      headers: { accept: 'image/jpeg' },
      signal,
    }),
  );

/** Each image with its original name and size in KB: product spec section 2. */
export function Evidence({ call, transfer }: { call: PortalCall; transfer: Transfer }) {
  const { t } = useTranslation('panels');
  const { evidenceFiles: files, evidenceRemoved, flags } = transfer.manualPayment;
  const [chosen, setChosen] = useState(0);
  const file = files[chosen] ?? files[0];
  if (evidenceRemoved || !file) return <p className="quiet">{t('review.evidenceRemoved')}</p>;
  const usedBefore = (one: EvidenceFile) =>
    flags.some(({ type, filename }) => type === 'file-used-before' && filename === one.filename);
  return (
    <section aria-label={t('review.evidence')} className={styles.evidence}>
      <Large key={file.filename} call={call} file={file} />
      <ul className={styles.files}>
        {files.map((one, at) => (
          <li key={one.filename}>
            <Choice
              call={call}
              file={one}
              isChosen={one === file}
              isUsedBefore={usedBefore(one)}
              onChoose={() => setChosen(at)}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Large({ call, file }: { call: PortalCall; file: EvidenceFile }) {
  const { t } = useTranslation('panels');
  const { file: picture, isFailed } = useEvidence(call, file.filename);
  const [isBroken, setBroken] = useState(false);
  const [isEnlarged, setEnlarged] = useState(false);
  const name = t('review.proof', { name: file.originalName });
  // A photo that fails to load is hidden: product spec section 8.
  if (isFailed || isBroken) return <p className={styles.missing}>{t('review.imageFailed')}</p>;
  if (!picture) return <p className={styles.missing}>{t('review.imageLoading')}</p>;
  return (
    <>
      <button type="button" className={styles.large} onClick={() => setEnlarged(true)}>
        <FileImage file={picture} alt={name} onError={() => setBroken(true)} />
        <span className={styles.enlarge}>
          <Icon of={enlarge} size="small" />
          {t('review.enlarge')}
        </span>
      </button>
      {isEnlarged && (
        <EvidenceZoom file={picture} name={file.originalName} onClose={() => setEnlarged(false)} />
      )}
    </>
  );
}

interface ChoiceProps {
  call: PortalCall;
  file: EvidenceFile;
  isChosen: boolean;
  isUsedBefore: boolean;
  onChoose: () => void;
}

function Choice({ call, file, isChosen, isUsedBefore, onChoose }: ChoiceProps) {
  const { t } = useTranslation('panels');
  const formats = useFormats();
  const { file: picture, isFailed } = useEvidence(call, file.filename);
  return (
    <button type="button" className={styles.file} aria-pressed={isChosen} onClick={onChoose}>
      {picture && !isFailed ? (
        <FileImage className={styles.small} file={picture} alt="" />
      ) : (
        <span className={styles.small} />
      )}
      <span className={styles.name}>
        {file.originalName}
        <br />
        <span className="quiet tabular">
          {t('review.size', { size: formats.number(Math.max(1, Math.round(file.fileSize / 1024))) })}
        </span>
        {isUsedBefore && (
          <span className={styles.used}>
            <Icon of={warning} size="small" />
            {t('transfers.flags.file-used-before')}
          </span>
        )}
      </span>
    </button>
  );
}
