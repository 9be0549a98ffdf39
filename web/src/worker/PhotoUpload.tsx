import { useTranslation } from 'react-i18next';
import { camera, images } from '../design/components/icons.ts';
import { photoAddress } from '../design/components/photo.ts';
import type { Assignment } from './assignments.ts';
import { isOpen, type PhotoQueue } from './photo-queue.ts';
import { PhotoPicker } from './PhotoPicker.tsx';
import { PhotoRow } from './PhotoRow.tsx';
import styles from './PhotoUpload.module.css';

interface Props {
  assignment: Assignment;
  queue: PhotoQueue;
  /** Taking a photo is the thing to do now. */
  accent: boolean;
}

/** Take or choose photos; each is sent by itself and says how far it is. Above them what arrived before. */
export function PhotoUpload({ assignment, queue, accent }: Props) {
  const { t } = useTranslation('worker');
  const { _id: id, photos } = assignment;
  const open = queue.photos.filter((photo) => photo.assignmentId === id && isOpen(photo, photos));
  const add = (files: File[]) => queue.add(id, files);
  const pickers = (
    <>
      <PhotoPicker label={t('photos.take')} icon={camera} accent={accent} capture onPick={add} />
      <PhotoPicker label={t('photos.choose')} icon={images} onPick={add} />
    </>
  );
  return (
    <div className={styles.upload}>
      {photos.length > 0 && (
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
      )}
      {open.length > 0 && (
        <ul className={styles.queue} aria-label={t('photos.queue')}>
          {open.map((photo) => (
            <PhotoRow
              key={photo.id}
              photo={photo}
              onRetry={() => queue.retry(photo)}
              onRemove={() => queue.remove(photo)}
            />
          ))}
        </ul>
      )}
      {assignment.status === 'completed' ? (
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
