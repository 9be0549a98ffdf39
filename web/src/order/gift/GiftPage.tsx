import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router-dom';
import { useStatusChanges } from '../../api/status-changes.ts';
import { useOnline } from '../../api/use-online.ts';
import { usePage } from '../../layout/use-page.ts';
import seeds from '../../art/sp-seeds.svg';
import work from '../../art/sp-work.svg';
import { Alert } from '../../design/components/Alert.tsx';
import { Badge } from '../../design/components/Badge.tsx';
import { Button, ButtonLink } from '../../design/components/Button.tsx';
import { EmptyState } from '../../design/components/EmptyState.tsx';
import { MapCard } from '../../design/components/MapCard.tsx';
import { SkeletonBlock, SkeletonFrame } from '../../design/components/Skeleton.tsx';
import { BoughtGrowth } from '../growth/BoughtGrowth.tsx';
import { useFormats } from '../../i18n/format.ts';
import { Album } from '../photos/Album.tsx';
import { OrderTimeline } from '../timeline/OrderTimeline.tsx';
import { isPrivateLink } from '../arrival.ts';
import { PublicLayout } from '../../layout/PublicLayout.tsx';
import { useSession } from '../../session/session.ts';
import { GiftCard } from './GiftCard.tsx';
import { type ReceivedGift, useGift } from './gifts.ts';
import styles from './gifts.module.css';
import { KeepGift, useReceivedGifts } from './KeepGift.tsx';
import { SayThanks } from './SayThanks.tsx';
import parts from '../order.module.css';

/** `/g/:token`: a gift as its recipient sees it, by its own link. */
export function GiftPage() {
  const { t } = useTranslation('gift');
  const { token = '' } = useParams();
  const { data, isPending, refetch } = useGift(token);
  const online = useOnline();
  const found = isPrivateLink(token) ? data : 'unknown';
  usePage(`${t('page.title')} · Arboleda`);
  return (
    <PublicLayout>
      {typeof found === 'object' ? (
        <Received gift={found} />
      ) : found ? (
        <Nothing kind={found} />
      ) : isPending && online ? (
        <Loading />
      ) : (
        <NotLoaded onRetry={() => void refetch()} />
      )}
    </PublicLayout>
  );
}

function Received({ gift }: { gift: ReceivedGift }) {
  const { t } = useTranslation(['gift', 'order', 'growth', 'common']);
  const formats = useFormats();
  const {
    coordinates,
    assignedWorker,
    photos,
    trees,
    withdrawn,
    unpaid,
    refunded,
    certificate,
    from,
    growth,
  } = gift;
  const news = useStatusChanges(useMemo(() => [{ ...gift, _id: gift.token }], [gift]));
  const isUnderWay = !withdrawn && !unpaid;
  const { data: mine = [] } = useReceivedGifts(useSession('customer'));
  const isOwn = mine.some(({ token }) => token === gift.token);
  const facts = [
    { label: t('order:place'), value: gift.location },
    { label: t('order:plantedBy'), value: assignedWorker?.name },
    { label: t('order:region'), value: assignedWorker?.region },
  ].filter(({ value }) => value);
  return (
    <>
      <div className={`container ${styles.page}`}>
        <header className={styles.head}>
          <h1 className="page-title">
            {from ? t('page.from', { from, count: trees }) : t('page.fromSomeone', { count: trees })}
          </h1>
          <p className="lead">{nextStep()}</p>
          {isUnderWay && (
            <p>
              <Badge of={gift.status}>{t(`common:status.${gift.status}`)}</Badge>
            </p>
          )}
        </header>
        <GiftCard gift={gift} from={from} trees={trees} language={gift.language} size="large" />
        {unpaid && <Alert kind="note">{t('page.unpaid')}</Alert>}
        {refunded && !withdrawn && <Alert kind="note">{t('page.refunded', { count: trees })}</Alert>}
      </div>
      <p className="visually-hidden" role="status">
        {news.map(({ status }) => t('page.moved', { status: t(`common:status.${status}`) }))}
      </p>
      {isUnderWay && (
        <section className={`on-forest ${parts.panel}`} aria-label={t('order:timeline.label')}>
          <div className="container">
            <OrderTimeline order={{ ...gift, giftFrom: from }} />
          </div>
        </section>
      )}
      {isUnderWay && coordinates && (
        <Part name="where" title={t('page.where', { count: trees })}>
          <MapCard coordinates={coordinates} facts={facts} />
        </Part>
      )}
      {photos.length > 0 && (
        <Part name="photos" title={t('order:photosTitle')}>
          <Album order={gift} arrangement="story" atFirst={6} />
        </Part>
      )}
      {(growth?.length ?? 0) > 0 && (
        <Part name="growth" title={t('growth:title', { count: trees })}>
          <BoughtGrowth order={gift} />
        </Part>
      )}
      <div className={`container ${styles.last}`}>
        {isUnderWay && <KeepGift gift={gift} />}
        <SayThanks gift={gift} />
        {certificate?.state === 'valid' && !isOwn && (
          <section aria-labelledby="certificate-title">
            <h2 id="certificate-title" className="sub-title">
              {t('page.certificate')}
            </h2>
            <p>{t('page.certificateText')}</p>
            <ButtonLink to={`/c/${certificate.code}`}>{t('page.certificateOpen')}</ButtonLink>
          </section>
        )}
      </div>
      <p className={`container small quiet ${styles.quietly}`}>
        <Link to={`/g/${gift.token}/stop`}>{t('page.stop')}</Link>
      </p>
    </>
  );

  /** A sentence about the next step. */
  function nextStep(): string {
    const worker = assignedWorker?.name ?? t('page.worker');
    if (withdrawn) return t('page.withdrawn', { count: trees });
    if (unpaid) return t('page.soon', { count: trees });
    if (gift.status === 'pending') return t('page.pending', { count: trees });
    if (gift.status === 'assigned') return t('page.assigned', { count: trees, worker });
    return t('page.planted', {
      count: trees,
      worker,
      day: formats.day(gift.plantingDate ?? gift.completionDate ?? Date.now()),
    });
  }
}

function Part({ name, title, children }: { name: string; title: string; children: ReactNode }) {
  return (
    <section className={`container ${parts.section}`} aria-labelledby={`${name}-title`}>
      <h2 id={`${name}-title`} className="section-title">
        {title}
      </h2>
      {children}
    </section>
  );
}

function Nothing({ kind }: { kind: 'unknown' | 'cancelled' | 'erased' }) {
  const { t } = useTranslation('gift');
  return (
    <div className={`container ${styles.none}`}>
      <img src={seeds} width="168" height="132" alt="" />
      <h1 className="page-title">{t(`${kind}.title`)}</h1>
      <p className="lead">{t(`${kind}.text`)}</p>
      <ButtonLink to="/">{t('page.home')}</ButtonLink>
    </div>
  );
}

function NotLoaded({ onRetry }: { onRetry: () => void }) {
  const { t } = useTranslation('gift');
  const { t: common } = useTranslation();
  return (
    <div className={`container ${styles.page}`}>
      <h1 className="visually-hidden">{t('page.title')}</h1>
      <EmptyState
        drawing={work}
        title={t('failed.title')}
        action={<Button onClick={onRetry}>{common('tryAgain')}</Button>}
      >
        {t('failed.text')}
      </EmptyState>
    </div>
  );
}

function Loading() {
  const { t } = useTranslation('gift');
  const { t: common } = useTranslation();
  return (
    <>
      <h1 className="visually-hidden">{t('page.title')}</h1>
      <SkeletonFrame label={common('loading')} className={`container ${styles.page}`}>
        <SkeletonBlock className={styles.skeletonTitle} />
        <SkeletonBlock className={styles.skeletonCard} />
      </SkeletonFrame>
    </>
  );
}
