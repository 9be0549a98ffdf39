import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../design/components/Icon.tsx';
import { close } from '../../design/components/icons.ts';
import { FileImage } from '../shared/files.tsx';
import { enlarge, turn } from '../shared/icons.ts';
import styles from './Evidence.module.css';

interface Props {
  file: Blob;
  name: string;
  onClose: () => void;
}

/** Evidence in full-window view: fitted or full size, rotatable. */
export function EvidenceZoom({ file, name, onClose }: Props) {
  const { t } = useTranslation('desk');
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
