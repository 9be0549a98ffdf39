import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatsOf } from '../../i18n/format.ts';
import { Lightbox } from './Lightbox.tsx';
import { photoAddress, photoSrcSet, type Photo } from './photo.ts';
import styles from './PhotoGrid.module.css';

interface Props {
  photos: readonly Photo[];
  /** story: the first photo twice as large. even: small and equal, where photos are secondary. */
  arrangement?: 'story' | 'even';
  /** Offers the open photo as a file. */
  onDownload?: ((photo: Photo) => Promise<void>) | undefined;
}

const SIZES = {
  first: '(max-width: 799px) 100vw, 740px',
  story: '(max-width: 799px) 50vw, 364px',
  even: '(max-width: 799px) 50vw, 270px',
};

/** Photos of an order that open in the lightbox; photos that fail to load are omitted. */
export function PhotoGrid({ photos, arrangement = 'story', onDownload }: Props) {
  const { t, i18n } = useTranslation();
  const [openAt, setOpenAt] = useState<number>();
  const [failed, setFailed] = useState<ReadonlySet<string>>(new Set());
  const shown = useMemo(() => photos.filter(({ filename }) => !failed.has(filename)), [photos, failed]);
  const caption = useCallback(
    (photo: Photo) => formatsOf(i18n.language).moment(photo.takenAt ?? photo.uploadedAt),
    [i18n.language],
  );
  return (
    <>
      <ul className={`${styles.grid} ${styles[arrangement]}`}>
        {shown.map((photo, at) => (
          <li key={photo.filename} className={styles.photo}>
            <button type="button" className={styles.open} onClick={() => setOpenAt(at)}>
              <img
                className={styles.image}
                src={photoAddress(photo, 800)}
                srcSet={photoSrcSet(photo)}
                sizes={arrangement === 'story' && at === 0 ? SIZES.first : SIZES[arrangement]}
                width={photo.width}
                height={photo.height}
                alt={t('photos.alt', { number: at + 1, count: shown.length, caption: caption(photo) })}
                loading="lazy"
                onError={() => setFailed((before) => new Set([...before, photo.filename]))}
              />
            </button>
            <p className="small quiet">{caption(photo)}</p>
          </li>
        ))}
      </ul>
      {openAt !== undefined && (
        <Lightbox
          photos={shown}
          at={openAt}
          caption={caption}
          onMove={setOpenAt}
          onDownload={onDownload}
          onClose={() => setOpenAt(undefined)}
        />
      )}
    </>
  );
}
