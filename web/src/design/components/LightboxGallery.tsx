import { LARGEST_PHOTO_WIDTH, PHOTO_WIDTHS } from '@arboleda/contracts/photo.ts';
import { useMemo, useRef, type KeyboardEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import Lightbox, { type ControllerRef, type SlideImage } from 'yet-another-react-lightbox';
import Zoom from 'yet-another-react-lightbox/plugins/zoom';
import 'yet-another-react-lightbox/styles.css';
import { Icon } from './Icon.tsx';
import { arrowLeft, arrowRight, minus, plus } from './icons.ts';
import { photoAddress, type Photo } from './photo.ts';
import styles from './Lightbox.module.css';

interface Props {
  place: HTMLDialogElement;
  photos: readonly Photo[];
  at: number;
  caption: (photo: Photo) => string;
  /** Shown in place of the photo's number. */
  problem: string | undefined;
  onMove: (at: number) => void;
  onClose: () => void;
  downloadButton: ReactNode;
  closeButton: ReactNode;
}

const SWIPE_MS = 320;

function slideOf(photo: Photo, alt: string): SlideImage {
  const { width, height } = photo;
  const srcSet = PHOTO_WIDTHS.map((wide) => ({
    src: photoAddress(photo, wide),
    width: Math.min(wide, width),
    height: Math.round((height / width) * Math.min(wide, width)),
  }));
  return { src: photoAddress(photo, LARGEST_PHOTO_WIDTH), width, height, alt, srcSet };
}

/** Lazy part of the lightbox, loaded with the first opened photo. */
export function LightboxGallery(props: Props) {
  const { place, photos, at, caption, problem, onMove, onClose, downloadButton, closeButton } = props;
  const { t } = useTranslation();
  const controller = useRef<ControllerRef>(null);
  const count = photos.length;
  const slides = useMemo(
    () =>
      photos.map((photo, index) =>
        slideOf(photo, t('photos.alt', { number: index + 1, count, caption: caption(photo) })),
      ),
    [photos, caption, count, t],
  );
  // The gallery lacks Home and End.
  const onKeyDown = (event: KeyboardEvent) => {
    const target = { Home: 0, End: count - 1 }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    if (target < at) controller.current?.prev({ count: at - target });
    if (target > at) controller.current?.next({ count: target - at });
  };
  const photo = photos[at];
  return (
    <Lightbox
      open
      close={onClose}
      index={at}
      slides={slides}
      plugins={[Zoom]}
      // The surrounding dialog is the modal; the gallery is not.
      portal={{ root: place, container: { onKeyDown, role: 'presentation', 'aria-modal': undefined } }}
      className={styles.gallery}
      on={{ view: ({ index }) => onMove(index) }}
      controller={{ ref: controller, closeOnPullDown: true }}
      carousel={{ finite: false, preload: 1, padding: 0 }}
      animation={{ fade: 0, swipe: SWIPE_MS }}
      zoom={{ maxZoomPixelRatio: 2, scrollToZoom: true }}
      toolbar={{ buttons: [downloadButton, closeButton] }}
      labels={{
        Previous: t('photos.previous'),
        Next: t('photos.next'),
        Close: t('close'),
        Lightbox: t('photos.lightbox'),
        'Photo gallery': t('photos.lightbox'),
        Carousel: t('photos.carousel'),
        Slide: t('photos.slide'),
        '{index} of {total}': t('photos.place', {
          number: '{index}',
          count,
        }),
        'Zoom in': t('photos.zoomIn'),
        'Zoom out': t('photos.zoomOut'),
      }}
      render={{
        controls: () =>
          photo && (
            <p className={styles.caption} aria-live="polite">
              <span>{caption(photo)}</span>
              <span className="quiet">{problem ?? t('photos.place', { number: at + 1, count })}</span>
            </p>
          ),
        iconPrev: () => <Icon of={arrowLeft} size="large" />,
        iconNext: () => <Icon of={arrowRight} size="large" />,
        iconZoomIn: () => <Icon of={plus} size="large" />,
        iconZoomOut: () => <Icon of={minus} size="large" />,
        ...(count === 1 && { buttonPrev: () => null, buttonNext: () => null }),
      }}
    />
  );
}
