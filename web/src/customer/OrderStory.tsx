import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CertificateInOrder, hasCertificate } from '../order/certificate/CertificateInOrder.tsx';
import { Button, ButtonLink } from '../design/components/Button.tsx';
import { arrowRight, arrowUp, caretDown } from '../design/components/icons.ts';
import { MapCard } from '../design/components/MapCard.tsx';
import { GiftInOrder } from '../order/gift/GiftInOrder.tsx';
import type { OpenSession } from '../portal/Gate.tsx';
import { Album } from '../order/photos/Album.tsx';
import { MoneyNotice } from '../order/money/MoneyNotice.tsx';
import { OrderBadge } from '../order/timeline/OrderBadge.tsx';
import { nextVisit, OrderTimeline } from '../order/timeline/OrderTimeline.tsx';
import { useFormats } from '../i18n/format.ts';
import { hasReceipt, isUnderWay, moneyStateOf } from '../order/money/money-state.ts';
import { WithdrawalInOrder } from '../order/withdrawal/WithdrawalInOrder.tsx';
import type { Arrival } from './arrival.ts';
import { GrowthOutcome, OrderGrowth } from './OrderGrowth.tsx';
import type { CustomerOrder } from './orders.ts';
import styles from './OrderStory.module.css';
import { ReceiptActions } from './ReceiptActions.tsx';

interface Props {
  session: OpenSession<'customer'>;
  order: CustomerOrder;
  /** Set when the visitor returned to this order from payment or a link. */
  arrival: Arrival | undefined;
  /** Set when several orders share the page: it then opens and closes. */
  folds?: { open: boolean } | undefined;
}

const PHOTOS_AT_FIRST = 8;

/** One order of the portal: headline, timeline with its facts, then map, photos, growth updates and receipt. */
export function OrderStory({ session, order, arrival, folds }: Props) {
  const { t } = useTranslation('customer');
  const { t: common } = useTranslation();
  const headingId = useId();
  const contentId = useId();
  const article = useRef<HTMLElement>(null);
  const isWanted = arrival !== undefined;
  const [isOpen, setOpen] = useState(isWanted || (folds?.open ?? true));
  useEffect(() => {
    if (isWanted) article.current?.scrollIntoView();
  }, [isWanted]);
  return (
    <article ref={article} className={styles.order} aria-labelledby={headingId}>
      {arrival && arrival.why !== 'choose' && <GrowthOutcome arrival={arrival} order={order} />}
      <header className={styles.head}>
        <div className={styles.name}>
          <p className={styles.which}>
            {t('orders.order', { id: order.shortId })}
            <OrderBadge order={order} />
          </p>
          <h3 id={headingId} className={styles.title}>
            {common('trees', { count: order.trees })}
          </h3>
          {!isOpen && <Essence order={order} />}
        </div>
        <div className={styles.ways}>
          {folds && (
            <Button
              icon={isOpen ? arrowUp : caretDown}
              aria-expanded={isOpen}
              aria-controls={contentId}
              aria-describedby={headingId}
              onClick={() => setOpen(!isOpen)}
            >
              {isOpen ? t('orders.fold') : t('orders.unfold')}
            </Button>
          )}
          <ButtonLink to={`/orders/${order.token}`} icon={arrowRight}>
            {t('orders.open')}
          </ButtonLink>
        </div>
      </header>
      <div id={contentId} className={styles.content} hidden={!isOpen}>
        {isOpen && <Content session={session} order={order} arrival={arrival} />}
      </div>
      {/* In sight while the order is folded, too: the law wants it so. */}
      {moneyStateOf(order) !== 'withdrawing' && <WithdrawalInOrder order={order} />}
    </article>
  );
}

/** The line of a closed order: where the trees are, and the next date or the last one. */
function Essence({ order }: { order: CustomerOrder }): ReactNode {
  const { t } = useTranslation('customer');
  const formats = useFormats();
  const visit = nextVisit(order.growth);
  const when = visit
    ? t('orders.nextVisit', { month: formats.month(visit.dueAt) })
    : formats.day(order.plantingDate ?? order.createdAt);
  return <p className="quiet">{[order.location, when].filter(Boolean).join(' · ')}</p>;
}

function Content({ session, order, arrival }: Omit<Props, 'folds'>): ReactNode {
  const { t } = useTranslation(['customer', 'certificate', 'order']);
  const isWithdrawing = moneyStateOf(order) === 'withdrawing';
  const facts = [
    { label: t('orders.place'), value: order.location },
    { label: t('orders.planter'), value: order.assignedWorker?.name },
  ].filter(({ value }) => value);
  return (
    <>
      {isWithdrawing && <WithdrawalInOrder order={order} />}
      <MoneyNotice order={order} />
      {order.gift && (
        <div className={styles.certificate}>
          <h4 className="sub-title">{t('order:gift')}</h4>
          <GiftInOrder order={order} />
        </div>
      )}
      {isUnderWay(order) && (
        <div className={`on-forest ${styles.panel}`}>
          <OrderTimeline order={order} />
        </div>
      )}
      {order.coordinates && (
        <div className={styles.map}>
          <MapCard coordinates={order.coordinates} facts={facts} />
        </div>
      )}
      {order.photos.length > 0 && <Album order={order} arrangement="even" atFirst={PHOTOS_AT_FIRST} />}
      {hasCertificate(order) && (
        <div className={styles.certificate}>
          <h4 className="sub-title">{t('certificate:own.title')}</h4>
          <CertificateInOrder order={order} />
        </div>
      )}
      <OrderGrowth session={session} order={order} arrival={arrival} />
      {hasReceipt(order) && <ReceiptActions session={session} order={order} />}
    </>
  );
}
