import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../design/components/Button.tsx';
import { Icon } from '../design/components/Icon.tsx';
import { checkCircle, clock, images, type Outline, upload, warning } from '../design/components/icons.ts';
import { useFormats } from '../i18n/format.ts';
import styles from './PhotoUpload.module.css';
import { useField } from './field.ts';
import { isBlocked, type Item, type ItemState, type PhotoItem } from './outbox/item.ts';
import { refusalText } from './refusal.ts';

type PhotoRowState =
  | Exclude<ItemState, { step: 'waiting' }>
  | { step: 'sending'; share: number }
  | { step: 'failed' }
  | { step: 'waiting'; waitsFor: 'signal' | 'place' | 'step' | 'turn' };

interface Around {
  items: readonly Item[];
  sending: { id: string; share: number } | undefined;
  isOnline: boolean;
}

export function rowStateOf(photo: PhotoItem, { items, sending, isOnline }: Around): PhotoRowState {
  if (photo.state.step !== 'waiting') return photo.state;
  if (sending?.id === photo.id) return { step: 'sending', share: sending.share };
  if (isBlocked(photo, items)) return { step: 'waiting', waitsFor: 'step' };
  if (!isOnline) return { step: 'waiting', waitsFor: 'signal' };
  if (photo.attempts > 0) return { step: 'failed' };
  return { step: 'waiting', waitsFor: photo.heldUntil > Date.now() ? 'place' : 'turn' };
}

/** One photo with its state, progress and actions. */
export function PhotoRow({ photo }: { photo: PhotoItem }) {
  const { t } = useTranslation('worker');
  const { t: common } = useTranslation();
  const { outbox, items, sending, isOnline } = useField();
  const sign = rowStateOf(photo, { items, sending, isOnline });
  const isRemovable = sign.step !== 'sending' && (sign.step !== 'sent' || sign.again || sign.isHandedOver);
  return (
    <li className={`${styles.row} ${styles[sign.step]}`}>
      <Preview thumbnail={photo.thumbnail} />
      <div className={styles.words}>
        <div role="status">
          <State photo={photo} sign={sign} />
        </div>
        {sign.step === 'sending' && (
          <progress
            className={styles.progress}
            max={1}
            value={sign.share}
            aria-label={t('photos.progress')}
          />
        )}
      </div>
      <div className={styles.actions}>
        {sign.step === 'failed' && <Button onClick={outbox.retryNow}>{common('tryAgain')}</Button>}
        {isRemovable && (
          <Button
            look={sign.step === 'refused' ? 'secondary' : 'text'}
            onClick={() => void outbox.remove(photo.id)}
          >
            {t('photos.remove')}
          </Button>
        )}
      </div>
    </li>
  );
}

/** Thumbnail, or an icon for a file this phone cannot decode. */
function Preview({ thumbnail }: { thumbnail: ArrayBuffer | undefined }) {
  const image = useRef<HTMLImageElement>(null);
  useEffect(() => {
    if (!thumbnail || !image.current) return;
    const address = URL.createObjectURL(new Blob([thumbnail], { type: 'image/jpeg' }));
    image.current.src = address;
    return () => URL.revokeObjectURL(address);
  }, [thumbnail]);
  return thumbnail ? (
    <img ref={image} width="96" height="96" alt="" />
  ) : (
    <span className={styles.noPicture}>
      <Icon of={images} size="large" />
    </span>
  );
}

function State({ photo, sign }: { photo: PhotoItem; sign: PhotoRowState }) {
  const { t, i18n } = useTranslation('worker');
  const formats = useFormats();
  switch (sign.step) {
    case 'sending':
      return <Title icon={upload}>{t('photos.sending', { share: formats.percent(sign.share) })}</Title>;
    case 'sent':
      return (
        <>
          <Title icon={checkCircle}>{t(sentText(sign))}</Title>
          <p className="quiet">{t('photos.sentAt', { time: formats.time(sign.at) })}</p>
        </>
      );
    case 'refused':
      return (
        <>
          <Title icon={warning}>{t('photos.refused')}</Title>
          <p>{refusalText(sign, i18n.language)}</p>
        </>
      );
    case 'failed':
      return (
        <>
          <Title icon={warning}>{t('photos.failed')}</Title>
          <p>{t('photos.failedText')}</p>
        </>
      );
    case 'waiting':
      return (
        <>
          <Title icon={clock}>{t(`photos.waitsFor.${sign.waitsFor}`)}</Title>
          <Facts photo={photo} />
        </>
      );
  }
}

function sentText({ again, isHandedOver }: Extract<PhotoRowState, { step: 'sent' }>) {
  if (isHandedOver) return 'photos.handedOver';
  return again ? 'photos.again' : 'photos.sent';
}

/** Time and place of the photo, which the donor will see. */
function Facts({ photo: { details, thumbnail } }: { photo: PhotoItem }) {
  const { t } = useTranslation('worker');
  const formats = useFormats();
  return (
    <>
      <p className="quiet">
        {details.takenAt && `${t('photos.takenAt', { time: formats.time(details.takenAt) })} · `}
        {t(details.latitude === undefined ? 'photos.noPlace' : 'photos.hasPlace')}
      </p>
      {!thumbnail && <p>{t('photos.notDrawn')}</p>}
    </>
  );
}

function Title({ icon, children }: { icon: Outline; children: ReactNode }) {
  return (
    <p className={styles.title}>
      <Icon of={icon} /> <span>{children}</span>
    </p>
  );
}
