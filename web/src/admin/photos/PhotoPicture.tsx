import { shortId } from '@arboleda/contracts/order.ts';
import type { PhotoWidth } from '@arboleda/contracts/photo.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PortalCall } from '../../session/session.ts';
import { FileImage } from '../shared/files.tsx';
import styles from './Photos.module.css';
import { type FlaggedPhoto, usePicture } from './photos.ts';

/** A photo as the public would see it, or why it cannot be shown. */
export function PhotoPicture({
  call,
  photo,
  width,
}: {
  call: PortalCall;
  photo: FlaggedPhoto;
  width: `${PhotoWidth}`;
}) {
  const { t } = useTranslation('panels');
  const { file, isFailed } = usePicture(call, photo.filename, width);
  const [isBroken, setBroken] = useState(false);
  if (!photo.isReady && photo.flags.includes('cannot-be-shown'))
    return <span className={styles.none}>{t('photos.unshowable')}</span>;
  if (!photo.isReady) return <span className={styles.none}>{t('photos.notReady')}</span>;
  if (isFailed || isBroken) return <span className={styles.none}>{t('review.imageFailed')}</span>;
  if (!file) return <span className={styles.none}>{t('review.imageLoading')}</span>;
  return (
    <FileImage
      file={file}
      className={styles.picture}
      width={photo.width}
      height={photo.height}
      alt={t('photos.alt', { id: shortId(photo.orderId), name: photo.worker.name ?? photo.worker.workerId })}
      onError={() => setBroken(true)}
    />
  );
}
