import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PublicOrder } from '../../api/order.ts';
import { fieldSapling, fieldValley } from '../../art/scenes.ts';
import { Button, ButtonAnchor } from '../../design/components/Button.tsx';
import { CopyButton } from '../../design/components/CopyButton.tsx';
import { share, whatsapp } from '../../design/components/icons.ts';
import { photoAddress, photoSrcSet } from '../../design/components/photo.ts';
import { Picture } from '../../design/components/Picture.tsx';
import { useFormats } from '../../i18n/format.ts';
import { OrderBadge } from '../timeline/OrderBadge.tsx';
import { ReceiptDownload } from '../money/ReceiptDownload.tsx';
import { useBuyersEmail } from '../arrival.ts';
import { hasReceipt, isUnderWay, moneyStateOf } from '../money/money-state.ts';
import { headlineOf, nextOf, privateLink } from './order-words.ts';
import styles from './OrderHero.module.css';

/** Drawings until a real photo exists; none shows a person, who could be taken for the worker in the headline. */
const DRAWING_OF = {
  pending: fieldSapling,
  assigned: fieldSapling,
  planted: fieldValley,
  completed: fieldValley,
};

export function OrderHero({ order, isFromPayment }: { order: PublicOrder; isFromPayment: boolean }) {
  const { t } = useTranslation(['order', 'common']);
  const formats = useFormats();
  const thanks =
    isFromPayment &&
    moneyStateOf(order) === 'paid' &&
    (order.status === 'pending' || order.status === 'assigned');
  return (
    <section className={`container ${styles.hero}`}>
      <div>
        <p className={styles.which} aria-live="polite">
          {t('order', { id: order.shortId })}
          <OrderBadge order={order} />
        </p>
        {thanks ? (
          <Thanks order={order} />
        ) : (
          <>
            <h1 className={`page-title ${styles.title}`}>{headlineOf(order, t, formats)}</h1>
            <p className="lead">{nextOf(order, t, formats)}</p>
          </>
        )}
        <div className={styles.actions}>
          {thanks && <Share order={order} />}
          <CopyButton text={privateLink(order.token)} label={t('copyLink')} icon="link" />
          {hasReceipt(order) && <ReceiptDownload order={order} />}
        </div>
      </div>
      <HeroPhoto order={order} />
    </section>
  );
}

/** For the visit in which the order was paid: what was paid, where the receipt went, and what comes next. */
function Thanks({ order }: { order: PublicOrder }): ReactNode {
  const { t } = useTranslation('order');
  const formats = useFormats();
  const email = useBuyersEmail();
  const { assignedWorker: worker, trees, gift } = order;
  return (
    <>
      <h1 className={`page-title ${styles.title} ${styles.thanks}`}>
        {t('thanks.title', { name: order.customerName, amount: formats.money(order.amount, order.currency) })}
      </h1>
      <p className="lead">{email ? t('thanks.receiptTo', { email }) : t('thanks.receipt')}</p>
      <p className={styles.next}>
        {worker
          ? t('thanks.assigned', { count: trees, worker: worker.name, region: worker.region })
          : t('thanks.pending', { count: trees })}
      </p>
      {gift && gift.state === 'waiting' && (
        <p className={styles.next}>
          {t(gift.byHand ? 'thanks.giftByHand' : 'thanks.giftByEmail', {
            name: gift.recipientName,
            day: formats.calendarDay(gift.deliverOn),
          })}
        </p>
      )}
    </>
  );
}

/** WhatsApp first, as most people in Colombia share; then what the device offers. */
function Share({ order }: { order: PublicOrder }): ReactNode {
  const { t } = useTranslation('order');
  const url = privateLink(order.token);
  const text = t('share.text', { count: order.trees });
  const offer = { title: 'Arboleda', text, url };
  const isOffered = typeof navigator.share === 'function';
  return (
    <>
      <ButtonAnchor
        href={`https://wa.me/?text=${encodeURIComponent(`${text} ${url}`)}`}
        target="_blank"
        rel="noreferrer"
        icon={whatsapp}
        look="accent"
      >
        {t('share.whatsapp')}
      </ButtonAnchor>
      {isOffered && (
        // Closing the device's dialog is no failure.
        <Button icon={share} onClick={() => void navigator.share(offer).catch(() => undefined)}>
          {t('share.other')}
        </Button>
      )}
    </>
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
        <figcaption className="small quiet">
          {isUnderWay(order) ? t('drawing') : t('onlyDrawing', { count: order.trees })}
        </figcaption>
      </figure>
    );
  }
  const caption = formats.moment(photo.takenAt ?? photo.uploadedAt);
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
