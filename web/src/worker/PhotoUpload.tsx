import { useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../design/components/Button.tsx';
import { Icon } from '../design/components/Icon.tsx';
import {
  camera,
  checkCircle,
  images,
  type Outline,
  upload as uploading,
  warning,
} from '../design/components/icons.ts';
import type { Assignment } from './assignments.ts';
import { type QueuedPhoto, usePhotoQueue } from './photo-queue.ts';
import styles from './PhotoUpload.module.css';

/** Take or choose photos; each is sent by itself and says how far it is. Then what already arrived. */
export function PhotoUpload({ assignment, onSent }: { assignment: Assignment; onSent: () => Promise<void> }) {
  const { t } = useTranslation('worker');
  const { queue, add, retry } = usePhotoQueue(assignment._id, onSent);
  const waiting = queue.filter(
    ({ state }) => state.step !== 'sent' || !assignment.photos.includes(state.filename),
  );
  return (
    <div className={styles.upload}>
      {waiting.length > 0 && (
        <ul className={styles.queue} aria-label={t('photos.queue')} aria-live="polite">
          {waiting.map((photo) => (
            <QueuedRow key={photo.id} photo={photo} onRetry={() => void retry(photo)} />
          ))}
        </ul>
      )}
      {assignment.photos.length > 0 && (
        <ul
          className={styles.thumbnails}
          aria-label={t('photos.received', { count: assignment.photos.length })}
        >
          {assignment.photos.map((filename, at) => (
            <li key={filename}>
              <img
                src={`/api/photos/${filename}?w=320`}
                width="96"
                height="96"
                loading="lazy"
                alt={t('photos.one', { number: at + 1 })}
                onError={(event) => (event.currentTarget.hidden = true)}
              />
            </li>
          ))}
        </ul>
      )}
      <Picker label={t('photos.take')} icon={camera} capture onPick={(files) => void add(files)} />
      <Picker label={t('photos.choose')} icon={images} onPick={(files) => void add(files)} />
    </div>
  );
}

interface PickerProps {
  label: string;
  icon: Outline;
  capture?: boolean;
  onPick: (files: File[]) => void;
}

function Picker({ label, icon, capture, onPick }: PickerProps) {
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  return (
    <>
      <input
        ref={input}
        id={id}
        className="visually-hidden"
        type="file"
        accept="image/jpeg,image/png,image/webp,image/gif"
        multiple={!capture}
        capture={capture ? 'environment' : undefined}
        tabIndex={-1}
        aria-label={label}
        onChange={(event) => {
          onPick([...(event.target.files ?? [])]);
          event.target.value = '';
        }}
      />
      <Button wide size="large" icon={icon} onClick={() => input.current?.click()}>
        {label}
      </Button>
    </>
  );
}

function QueuedRow({ photo, onRetry }: { photo: QueuedPhoto; onRetry: () => void }) {
  const { state } = photo;
  return (
    <li className={`${styles.row} ${styles[state.step]}`}>
      <img src={photo.preview} width="96" height="96" alt="" />
      <div className={styles.words}>
        <PhotoStateText photo={photo} />
        {state.step === 'sending' && (
          <progress className={styles.progress} max={1} value={state.share} aria-hidden="true" />
        )}
        {state.step === 'failed' && <RetryButton onRetry={onRetry} />}
      </div>
    </li>
  );
}

function RetryButton({ onRetry }: { onRetry: () => void }) {
  const { t } = useTranslation();
  return <Button onClick={onRetry}>{t('tryAgain')}</Button>;
}

function PhotoStateText({ photo: { state } }: { photo: QueuedPhoto }) {
  const { t } = useTranslation('worker');
  switch (state.step) {
    case 'sending':
      return (
        <p className={styles.title}>
          <Icon of={uploading} /> {t('photos.sending', { percent: Math.round(state.share * 100) })}
        </p>
      );
    case 'sent':
      return (
        <p className={styles.title}>
          <Icon of={checkCircle} /> {t('photos.sent')}
        </p>
      );
    case 'refused':
      return (
        <>
          <p className={styles.title}>
            <Icon of={warning} /> {t('photos.refused')}
          </p>
          <p>{state.why}</p>
        </>
      );
    case 'failed':
      return (
        <p className={styles.title}>
          <Icon of={warning} /> {t('photos.failed')}
        </p>
      );
  }
}
