import { useEffect, useRef, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from './Icon.tsx';
import { arrowLeft, arrowRight, close } from './icons.ts';
import { photoAddress, type Photo } from './photo.ts';
import styles from './Lightbox.module.css';

interface Props {
  photos: readonly Photo[];
  at: number;
  caption: (photo: Photo) => string;
  onMove: (at: number) => void;
  onClose: () => void;
}

const STEP: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1 };

/** One photo over the page: arrow keys, Home and End move, Escape closes, and the focus goes back. */
export function Lightbox({ photos, at, caption, onMove, onClose }: Props) {
  const { t } = useTranslation();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (!dialog.current?.open) dialog.current?.showModal();
  }, []);
  const move = (to: number) => onMove((to + photos.length) % photos.length);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEP[event.key];
    if (step) move(at + step);
    else if (event.key === 'Home') move(0);
    else if (event.key === 'End') move(photos.length - 1);
    else return;
    event.preventDefault();
  };
  const photo = photos[at];
  if (!photo) return null;
  const place = t('photos.place', { number: at + 1, count: photos.length });
  return (
    <dialog
      ref={dialog}
      className={`on-forest ${styles.lightbox}`}
      aria-label={t('photos.lightbox')}
      onClose={onClose}
      onKeyDown={onKeyDown}
    >
      <figure className={styles.figure}>
        <img
          className={styles.image}
          src={photoAddress(photo, 1600)}
          width={photo.width}
          height={photo.height}
          alt={t('photos.alt', { number: at + 1, count: photos.length, caption: caption(photo) })}
        />
        <figcaption className={styles.caption} aria-live="polite">
          <span>{caption(photo)}</span>
          <span className="quiet">{place}</span>
        </figcaption>
      </figure>
      <div className={styles.controls}>
        {photos.length > 1 && (
          <>
            <button type="button" aria-label={t('photos.previous')} onClick={() => move(at - 1)}>
              <Icon of={arrowLeft} size="large" />
            </button>
            <button type="button" aria-label={t('photos.next')} onClick={() => move(at + 1)}>
              <Icon of={arrowRight} size="large" />
            </button>
          </>
        )}
        <button type="button" aria-label={t('close')} onClick={() => dialog.current?.close()}>
          <Icon of={close} size="large" />
        </button>
      </div>
    </dialog>
  );
}
