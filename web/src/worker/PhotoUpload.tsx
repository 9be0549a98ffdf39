import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Alert } from '../design/components/Alert.tsx';
import { camera, images } from '../design/components/icons.ts';
import { photoAddress } from '../design/components/photo.ts';
import { useFormats } from '../i18n/format.ts';
import { useField } from './field.ts';
import { belongsTo, isPhoto, type Occasion } from './outbox/item.ts';
import { useLeaveWarning } from './outbox/use-outbox.ts';
import { queuePhotos } from './photos/queue-photos.ts';
import { PhotoPicker } from './PhotoPicker.tsx';
import { PhotoRow } from './PhotoRow.tsx';
import styles from './PhotoUpload.module.css';

interface Props {
  occasion: Occasion;
  photos: readonly string[];
  /** Taking a photo is the main action now. */
  accent: boolean;
  isDone: boolean;
}

/** Takes or chooses photos; each is stored on the phone and sent with progress. */
export function PhotoUpload({ occasion, photos, accent, isDone }: Props) {
  const { t } = useTranslation('worker');
  const { outbox, workerId, items } = useField();
  const [preparing, setPreparing] = useState(0);
  const [hasFailed, setFailed] = useState(false);
  useLeaveWarning(preparing > 0);
  const queued = items.filter(isPhoto).filter((photo) => belongsTo(photo, occasion));
  const add = async (files: File[]) => {
    setFailed(false);
    setPreparing((count) => count + files.length);
    for (const file of files) {
      await queuePhotos(outbox, workerId, occasion, [file]).catch(() => setFailed(true));
      setPreparing((count) => count - 1);
    }
  };
  const pickers = (
    <>
      <div role="status">{preparing > 0 && t('photos.preparing', { count: preparing })}</div>
      {hasFailed && <Alert kind="wrong">{t('photos.unreadable')}</Alert>}
      <PhotoPicker
        label={t(queued.length + photos.length > 0 ? 'photos.takeAnother' : 'photos.take')}
        icon={camera}
        accent={accent}
        capture
        onPick={(files) => void add(files)}
      />
      <PhotoPicker label={t('photos.choose')} icon={images} onPick={(files) => void add(files)} />
    </>
  );
  return (
    <div className={styles.upload}>
      <ToTakeAgain occasion={occasion} />
      <Received photos={photos} />
      {queued.length > 0 && (
        <>
          <h4 className={styles.heading}>{t('photos.queue')}</h4>
          <ul className={styles.queue} aria-label={t('photos.queue')}>
            {queued.map((photo) => (
              <PhotoRow key={photo.id} photo={photo} />
            ))}
          </ul>
        </>
      )}
      {isDone ? (
        <details>
          <summary className={styles.summary}>{t('photos.more')}</summary>
          <div className={styles.upload}>{pickers}</div>
        </details>
      ) : (
        pickers
      )}
    </div>
  );
}

/** Photos of the occasion that the server could not show. */
function ToTakeAgain({ occasion: { kind, id } }: { occasion: Occasion }) {
  const { t } = useTranslation('worker');
  const formats = useFormats();
  const { unshowable } = useField();
  const own = unshowable.filter(({ assignmentId, growthVisitId }) =>
    kind === 'visit' ? growthVisitId === id : !growthVisitId && assignmentId === id,
  );
  const [newest] = own;
  if (!newest) return null;
  return (
    <Alert kind="wrong">
      {t('photos.takeAgain', { count: own.length, day: formats.day(newest.uploadedAt) })}
    </Alert>
  );
}

function Received({ photos }: { photos: readonly string[] }) {
  const { t } = useTranslation('worker');
  if (photos.length === 0) return null;
  return (
    <ul className={styles.thumbnails} aria-label={t('photos.received', { count: photos.length })}>
      {photos.map((filename, at) => (
        <li key={filename}>
          <img
            src={photoAddress({ filename }, 320)}
            width="96"
            height="96"
            loading="lazy"
            alt={t('photos.one', { number: at + 1 })}
            onError={(event) => (event.currentTarget.hidden = true)}
          />
        </li>
      ))}
    </ul>
  );
}
