import { useTranslation } from 'react-i18next';
import type { PublicOrder } from '../../api/order.ts';
import { MapCard } from '../../design/components/MapCard.tsx';
import { Album } from './Album.tsx';
import { GrowthSection } from './GrowthSection.tsx';
import { KeepThisPage } from './KeepThisPage.tsx';
import { MoneyNotice } from './MoneyNotice.tsx';
import { OrderHero } from './OrderHero.tsx';
import { OrderTimeline } from './OrderTimeline.tsx';
import { Receipt } from './Receipt.tsx';
import { isUnderWay, moneyStateOf } from './money-state.ts';
import styles from './OrderPage.module.css';

export function OrderStory({ order }: { order: PublicOrder }) {
  const { t } = useTranslation('order');
  const { location, coordinates, assignedWorker, photos } = order;
  const facts = [
    { label: t('place'), value: location },
    { label: t('plantedBy'), value: assignedWorker?.name },
    { label: t('region'), value: assignedWorker?.region },
  ].filter(({ value }) => value);
  return (
    <>
      <OrderHero order={order} />
      {isUnderWay(order) && (
        <section className={`on-forest ${styles.panel}`} aria-label={t('timeline.label')}>
          <div className="container">
            <OrderTimeline order={order} />
          </div>
        </section>
      )}
      {/* For a waiting transfer the page's first sentence already says so. */}
      {moneyStateOf(order) !== 'to-verify' && (
        <div className={`container ${styles.notice}`}>
          <MoneyNotice order={order} />
        </div>
      )}
      {coordinates && (
        <section className={`container ${styles.section}`} aria-labelledby="where-title">
          <h2 id="where-title" className="section-title">
            {t('where')}
          </h2>
          <MapCard coordinates={coordinates} facts={facts} />
        </section>
      )}
      {photos.length > 0 && (
        <section className={`container ${styles.section}`} aria-labelledby="photos-title">
          <h2 id="photos-title" className="section-title">
            {t('photosTitle')}
          </h2>
          <Album photos={photos} arrangement="story" atFirst={6} />
        </section>
      )}
      <GrowthSection order={order} />
      <div className={`container ${styles.last}`}>
        <Receipt order={order} />
        <KeepThisPage token={order.token} />
      </div>
    </>
  );
}
