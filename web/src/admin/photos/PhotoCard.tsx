import { shortId } from '@arboleda/contracts/order.ts';
import type { PhotoWidth } from '@arboleda/contracts/photo.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../design/components/Icon.tsx';
import { warning } from '../../design/components/icons.ts';
import { useFormats } from '../../i18n/format.ts';
import type { PortalCall } from '../../session/session.ts';
import desk from '../desk/desk.module.css';
import { FileImage } from '../desk/FileImage.tsx';
import { eyeSlash } from '../desk/icons.ts';
import { type FlaggedPhoto, usePicture } from './photos.ts';
import styles from './Photos.module.css';

interface Props {
  call: PortalCall;
  photo: FlaggedPhoto;
  onOpen: () => void;
}

export function PhotoCard({ call, photo, onOpen }: Props) {
  const { t } = useTranslation('desk');
  const formats = useFormats();
  return (
    <div className={styles.card}>
      <button type="button" className={styles.open} onClick={onOpen}>
        <Shown call={call} photo={photo} width="320" />
      </button>
      <p>
        <span className="tabular">{t('photos.order', { id: shortId(photo.orderId) })}</span>
        <br />
        <span className="quiet">
          {photo.worker.name ?? photo.worker.workerId}, {formats.day(photo.takenAt ?? photo.uploadedAt)}
        </span>
      </p>
      <ul>
        {photo.flags.map((flag) => (
          <li key={flag} className={`${desk.mark} ${desk.pending}`}>
            <Icon of={warning} size="small" />
            {t(`photos.flags.${flag}`)}
          </li>
        ))}
        {photo.hidden && (
          <li className={`${desk.mark} ${desk.brick}`}>
            <Icon of={eyeSlash} size="small" />
            {t('photos.isHidden')}
          </li>
        )}
      </ul>
    </div>
  );
}

/** The picture, or a word where it cannot be shown. */
export function Shown({
  call,
  photo,
  width,
}: {
  call: PortalCall;
  photo: FlaggedPhoto;
  width: `${PhotoWidth}`;
}) {
  const { t } = useTranslation('desk');
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
