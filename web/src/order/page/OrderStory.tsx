import { useTranslation } from 'react-i18next';
import type { PublicOrder } from '../../api/order.ts';
import { ButtonLink } from '../../design/components/Button.tsx';
import { CopyButton } from '../../design/components/CopyButton.tsx';
import { Facts } from '../../design/components/Facts.tsx';
import { Field } from '../../design/components/Field.tsx';
import { MapCard } from '../../design/components/MapCard.tsx';
import { ORGANISATION } from '../../content/organisation.ts';
import { CertificateInOrder, hasCertificate } from '../certificate/CertificateInOrder.tsx';
import { GiftInOrder } from '../gift/GiftInOrder.tsx';
import { BoughtGrowth } from '../growth/BoughtGrowth.tsx';
import { GrowthPlans } from '../growth/GrowthPlans.tsx';
import { mayGrow } from '../growth/schedule.ts';
import { useSession } from '../../session/session.ts';
import { WithdrawalInOrder } from '../withdrawal/WithdrawalInOrder.tsx';
import { Album } from '../photos/Album.tsx';
import { MoneyNotice } from '../money/MoneyNotice.tsx';
import { OrderHero } from './OrderHero.tsx';
import parts from '../order.module.css';
import styles from './OrderPage.module.css';
import { OrderTimeline } from '../timeline/OrderTimeline.tsx';
import { Receipt } from '../money/Receipt.tsx';
import { useBuyersEmail, useSentReference } from '../arrival.ts';
import { isUnderWay, moneyStateOf } from '../money/money-state.ts';
import { privateLink } from './order-words.ts';

/** Growth updates; packages are chosen here and bought in the portal by the order's owner. */
function GrowthSection({ order }: { order: PublicOrder }) {
  const { t } = useTranslation('growth');
  const bought = (order.growth?.length ?? 0) > 0;
  if (!bought && !mayGrow(order)) return null;
  return (
    <section className={`container ${parts.section}`} aria-labelledby="growth-title">
      <h2 id="growth-title" className="section-title">
        {t('title', { count: order.trees })}
      </h2>
      <BoughtGrowth order={order} />
      {mayGrow(order) && (
        <>
          <p className={`lead ${styles.growthLead}`}>{t('lead', { count: order.trees })}</p>
          <GrowthPlans
            currency={order.currency}
            plantingDate={order.plantingDate}
            trees={order.trees}
            action={({ popular }, name) => (
              <ButtonLink
                to={`/customer-portal?growth=${order._id}`}
                look={popular ? 'accent' : 'secondary'}
                aria-label={t('chooseOne', { name })}
              >
                {t('choose')}
              </ButtonLink>
            )}
          />
        </>
      )}
    </section>
  );
}

/** Evidence of a transfer that waits for verification, and advice for a wrong file. */
function SentTransfer({ order }: { order: PublicOrder }) {
  const { t } = useTranslation('order');
  const reference = useSentReference();
  const count = order.manualPayment?.evidenceCount ?? 0;
  const rows = [{ label: t('sentTransfer.proofs'), value: t('sentTransfer.pictures', { count }) }];
  return (
    <section aria-labelledby="transfer-title" className={styles.transfer}>
      <h2 id="transfer-title" className="sub-title">
        {t('sentTransfer.title')}
      </h2>
      <Facts
        rows={[...(reference ? [{ label: t('sentTransfer.reference'), value: reference }] : []), ...rows]}
      />
      {reference && <CopyButton text={reference} label={t('sentTransfer.copy')} />}
      <p className="small quiet">
        {t('sentTransfer.wrongFile', { email: ORGANISATION.contactEmail, id: order.shortId })}
      </p>
    </section>
  );
}

function KeepThisPage({ token }: { token: string }) {
  const { t } = useTranslation(['order', 'common']);
  const address = privateLink(token);
  const session = useSession('customer');
  const email = useBuyersEmail();
  return (
    <section aria-labelledby="keep-title">
      <h2 id="keep-title" className="sub-title">
        {t('keep.title')}
      </h2>
      <p className={styles.keepText}>{t('keep.text')}</p>
      <div className={styles.link}>
        <Field label={t('keep.link')} value={address} readOnly onFocus={(event) => event.target.select()} />
        <CopyButton text={address} label={t('common:copy')} />
      </div>
      <div className={styles.account}>
        {session.state === 'in' ? (
          <>
            <p className="small">{t('keep.portal')}</p>
            <ButtonLink to="/customer-portal">{t('keep.toPortal')}</ButtonLink>
          </>
        ) : (
          <>
            <p className="small">{email ? t('keep.accountWith', { email }) : t('keep.account')}</p>
            <ButtonLink to="/customer-portal" state={{ register: true, email }}>
              {t('keep.create')}
            </ButtonLink>
          </>
        )}
      </div>
    </section>
  );
}

/** @param isFromPayment thanks the buyer, who has just paid */
export function OrderStory({ order, isFromPayment }: { order: PublicOrder; isFromPayment: boolean }) {
  const { t } = useTranslation(['order', 'certificate']);
  const { location, coordinates, assignedWorker, photos } = order;
  const facts = [
    { label: t('place'), value: location },
    { label: t('plantedBy'), value: assignedWorker?.name },
    { label: t('region'), value: assignedWorker?.region },
  ].filter(({ value }) => value);
  return (
    <>
      <OrderHero order={order} isFromPayment={isFromPayment} />
      {isUnderWay(order) && (
        <section className={`on-forest ${parts.panel}`} aria-label={t('timeline.label')}>
          <div className="container">
            <OrderTimeline order={order} />
          </div>
        </section>
      )}
      <div className={`container ${styles.notice}`}>
        {['paid', 'withdrawing'].includes(moneyStateOf(order)) && <WithdrawalInOrder order={order} />}
        {moneyStateOf(order) === 'to-verify' ? <SentTransfer order={order} /> : <MoneyNotice order={order} />}
      </div>
      {order.gift && (
        <section className={`container ${parts.section}`} aria-labelledby="gift-title">
          <h2 id="gift-title" className="section-title">
            {t('gift')}
          </h2>
          <GiftInOrder order={order} />
        </section>
      )}
      {coordinates && (
        <section className={`container ${parts.section}`} aria-labelledby="where-title">
          <h2 id="where-title" className="section-title">
            {t('where', { count: order.trees })}
          </h2>
          <MapCard coordinates={coordinates} facts={facts} />
        </section>
      )}
      {photos.length > 0 && (
        <section className={`container ${parts.section}`} aria-labelledby="photos-title">
          <h2 id="photos-title" className="section-title">
            {t('photosTitle')}
          </h2>
          <Album order={order} arrangement="story" atFirst={6} />
        </section>
      )}
      {hasCertificate(order) && (
        <section className={`container ${parts.section}`} aria-labelledby="certificate-title">
          <h2 id="certificate-title" className="section-title">
            {t('certificate:own.title')}
          </h2>
          <CertificateInOrder order={order} />
        </section>
      )}
      <GrowthSection order={order} />
      <div className={`container ${styles.last}`}>
        <div>
          <Receipt order={order} />
        </div>
        <KeepThisPage token={order.token} />
      </div>
    </>
  );
}
