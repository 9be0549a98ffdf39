import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PublicOrder } from '../../api/order.ts';
import { fieldPortrait, fieldSapling, fieldValley } from '../../art/scenes.ts';
import { CopyButton } from '../../design/components/CopyButton.tsx';
import { photoAddress, photoSrcSet } from '../../design/components/photo.ts';
import { Picture } from '../../design/components/Picture.tsx';
import { useFormats } from '../../i18n/format.ts';
import { OrderBadge } from './OrderBadge.tsx';
import { ReceiptDownload } from './ReceiptDownload.tsx';
import { hasReceipt } from './money-state.ts';
import { headlineOf, nextOf, privateLink } from './order-words.ts';
import styles from './OrderHero.module.css';

/** Drawings shown until a real photo exists. */
const DRAWING_OF = {
  pending: fieldSapling,
  assigned: fieldPortrait,
  planted: fieldValley,
  completed: fieldValley,
};

export function OrderHero({ order }: { order: PublicOrder }) {
  const { t } = useTranslation(['order', 'common']);
  const formats = useFormats();
  return (
    <section className={`container ${styles.hero}`}>
      <div>
        <p className={styles.which} aria-live="polite">
          {t('order', { id: order.shortId })}
          <OrderBadge order={order} />
        </p>
        <h1 className={`page-title ${styles.title}`}>{headlineOf(order, t, formats)}</h1>
        <p className="lead">{nextOf(order, t, formats)}</p>
        <div className={styles.actions}>
          <CopyButton text={privateLink(order.token)} label={t('copyLink')} icon="link" />
          {hasReceipt(order) && <ReceiptDownload order={order} />}
        </div>
      </div>
      <HeroPhoto order={order} />
    </section>
  );
}

function HeroPhoto({ order }: { order: PublicOrder }) {
  const { t } = useTranslation(['order', 'common']);
  const formats = useFormats();
  const [failed, setFailed] = useState<string>();
  const photo = order.photos[0];
  if (!photo || failed === photo.filename) {
    return (
      <figure className={styles.photo}>
        <Picture scene={DRAWING_OF[order.status]} alt="" sizes="(max-width: 799px) 100vw, 560px" first />
        <figcaption className="small quiet">{t('drawing')}</figcaption>
      </figure>
    );
  }
  const moment = photo.takenAt ?? photo.uploadedAt;
  const caption = t('common:photos.caption', {
    day: formats.day(moment),
    time: formats.time(moment),
  });
  return (
    <figure className={styles.photo}>
      <img
        src={photoAddress(photo, 800)}
        srcSet={photoSrcSet(photo, 800)}
        sizes="(max-width: 799px) 100vw, 560px"
        width={photo.width}
        height={photo.height}
        alt={t('heroPhoto', { caption })}
        onError={() => setFailed(photo.filename)}
      />
      <figcaption className="small quiet">{caption}</figcaption>
    </figure>
  );
}
