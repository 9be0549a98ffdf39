import { shortId } from '@arboleda/contracts/order.ts';
import { useTranslation } from 'react-i18next';
import { warning } from '../../design/components/icons.ts';
import { useFormats } from '../../i18n/format.ts';
import type { PortalCall } from '../../session/session.ts';
import { Mark } from '../shared/Mark.tsx';
import { eyeSlash } from '../shared/icons.ts';
import { PhotoPicture } from './PhotoPicture.tsx';
import styles from './Photos.module.css';
import type { FlaggedPhoto } from './photos.ts';

interface CardProps {
  call: PortalCall;
  photo: FlaggedPhoto;
  onOpen: () => void;
}

/** A photo with why it should be looked at. */
export function PhotoCard({ call, photo, onOpen }: CardProps) {
  const { t } = useTranslation('panels');
  const formats = useFormats();
  return (
    <div className={styles.card}>
      <button type="button" className={styles.open} onClick={onOpen}>
        <PhotoPicture call={call} photo={photo} width="320" />
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
          <Mark key={flag} as="li" icon={warning} tone="pending">
            {t(`photos.flags.${flag}`)}
          </Mark>
        ))}
        {photo.hidden && (
          <Mark as="li" icon={eyeSlash} tone="brick">
            {t('photos.isHidden')}
          </Mark>
        )}
      </ul>
    </div>
  );
}
