import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CrashBoundary } from './CrashBoundary.tsx';
import { loadChunk } from '../load-chunk.ts';
import { Icon } from './Icon.tsx';
import { close as cross, download } from './icons.ts';
import type { Photo } from './photo.ts';
import styles from './Lightbox.module.css';

interface Props {
  photos: readonly Photo[];
  at: number;
  caption: (photo: Photo) => string;
  onMove: (at: number) => void;
  onDownload?: ((photo: Photo) => Promise<void>) | undefined;
  onClose: () => void;
}

const Gallery = lazy(async () => ({
  default: (await loadChunk(() => import('./LightboxGallery.tsx'))).LightboxGallery,
}));

/**
 * A photo over the page. The native modal traps focus, also above another dialog; photos change by swipe, arrows, Home
 * and End and zoom by pinch, wheel or double tap.
 */
export function Lightbox({ photos, at, caption, onMove, onDownload, onClose }: Props) {
  const { t } = useTranslation();
  const dialog = useRef<HTMLDialogElement>(null);
  const [place, setPlace] = useState<HTMLDialogElement | null>(null);
  useEffect(() => {
    const element = dialog.current;
    if (element && !element.open) element.showModal();
    setPlace(element);
  }, []);
  const shut = () => dialog.current?.close();
  const [failed, setFailed] = useState<Photo>();
  const photo = photos[at];
  const save = async (wanted: Photo) => {
    setFailed(undefined);
    await onDownload?.(wanted).catch(() => setFailed(wanted));
  };
  return (
    <dialog
      ref={dialog}
      className={`on-forest ${styles.lightbox}`}
      aria-label={t('photos.lightbox')}
      onClose={(event) => event.target === dialog.current && onClose()}
    >
      <CrashBoundary panel>
        <Suspense fallback={<p className={styles.waiting}>{t('loading')}</p>}>
          {place && (
            <Gallery
              place={place}
              photos={photos}
              at={at}
              caption={caption}
              problem={photo && failed === photo ? t('photos.downloadFailed') : undefined}
              onMove={onMove}
              onClose={shut}
              downloadButton={
                photo &&
                onDownload && (
                  <button
                    key="download"
                    type="button"
                    className={styles.control}
                    aria-label={t('photos.download')}
                    onClick={() => void save(photo)}
                  >
                    <Icon of={download} size="large" />
                  </button>
                )
              }
              closeButton={
                <button
                  key="close"
                  type="button"
                  className={styles.control}
                  aria-label={t('close')}
                  onClick={shut}
                >
                  <Icon of={cross} size="large" />
                </button>
              }
            />
          )}
        </Suspense>
      </CrashBoundary>
    </dialog>
  );
}
