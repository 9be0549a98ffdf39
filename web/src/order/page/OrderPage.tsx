import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router-dom';
import { useOrder } from '../../api/order.ts';
import { useStatusChanges } from '../../api/status-changes.ts';
import { useOnline } from '../../api/use-online.ts';
import { usePage } from '../../layout/use-page.ts';
import seeds from '../../art/sp-seeds.svg';
import work from '../../art/sp-work.svg';
import sprout from '../../art/st-2.svg';
import { Alert } from '../../design/components/Alert.tsx';
import { Button, ButtonLink } from '../../design/components/Button.tsx';
import { EmptyState } from '../../design/components/EmptyState.tsx';
import { PublicLayout } from '../../layout/PublicLayout.tsx';
import styles from './OrderPage.module.css';
import { OrderSkeleton } from './OrderSkeleton.tsx';
import { OrderStory } from './OrderStory.tsx';
import { chooseTransfer } from '../purchase/draft.ts';
import { type Arrival, isPrivateLink, useArrival } from '../arrival.ts';

const PATIENCE_MS = 60_000;

/** Shown between payment and order; reports an unusual delay. */
function Confirming({ isRefused }: { isRefused: boolean }) {
  const { t } = useTranslation('order');
  const late = useLate(PATIENCE_MS);
  if (isRefused) {
    return (
      <div className={styles.confirming}>
        <img src={seeds} width="168" height="132" alt="" />
        <h1 className="page-title">{t('confirming.refused')}</h1>
        <p className="lead">{t('confirming.refusedText')}</p>
        <div className={styles.choices}>
          <ButtonLink to="/plant-trees" look="accent">
            {t('confirming.back')}
          </ButtonLink>
          <ButtonLink to="/plant-trees" onClick={chooseTransfer}>
            {t('confirming.transfer')}
          </ButtonLink>
        </div>
      </div>
    );
  }
  return (
    <div className={styles.confirming}>
      <img className={styles.sprout} src={sprout} width="132" height="168" alt="" />
      <h1 className="page-title">{t('confirming.title')}</h1>
      <p className="lead" role="status">
        {late ? t('confirming.long') : t('confirming.text')}
      </p>
    </div>
  );
}

function useLate(afterMs: number): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), afterMs);
    return () => clearTimeout(timer);
  }, [afterMs]);
  return late;
}

/**
 * Explains why the order may be missing and where to find it. The page keeps polling while the order may still arrive.
 */
function UnknownOrder({ mayStillCome = false }: { mayStillCome?: boolean }) {
  const { t } = useTranslation(['order', 'common']);
  return (
    <div className={styles.confirming}>
      <img src={seeds} width="168" height="132" alt="" />
      <h1 className="page-title">{t('unknown.title')}</h1>
      <p className="lead">{t('unknown.text')}</p>
      <ul className={styles.steps}>
        <li>{t('unknown.whole')}</li>
        {mayStillCome && <li>{t('unknown.paid')}</li>}
        <li>{t('unknown.portal')}</li>
      </ul>
      <div className={styles.choices}>
        <ButtonLink to="/customer-portal">{t('common:nav.myTrees')}</ButtonLink>
        <ButtonLink to="/" look="text">
          {t('common:nav.home')}
        </ButtonLink>
      </div>
    </div>
  );
}

/** Confirmation after payment, and later the order's page by private link. */
export function OrderPage() {
  const { t } = useTranslation(['order', 'common']);
  const { token = '' } = useParams();
  const arrival = useArrival();
  const { data: order, isError, isPending, refetch } = useOrder(token);
  const online = useOnline();
  usePage(order ? `${t('order', { id: order.shortId })} · Arboleda` : t('title'));
  const news = useStatusChanges(useMemo(() => (order ? [order] : []), [order]));
  if (order) {
    return (
      <PublicLayout>
        {isError && (
          <div className={`container ${styles.stale}`}>
            <Alert
              kind="offline"
              action={<Button onClick={() => void refetch()}>{t('common:tryAgain')}</Button>}
            >
              {t('stale')}
            </Alert>
          </div>
        )}
        <OrderStory order={order} isFromPayment={arrival.isFromPayment} />
        <p className="visually-hidden" role="status">
          {news.map(({ shortId, status }) =>
            t('moved', { id: shortId, status: t(`common:status.${status}`) }),
          )}
        </p>
      </PublicLayout>
    );
  }
  if (isPending && online) {
    return (
      <PublicLayout>
        <h1 className="visually-hidden">{t('yours')}</h1>
        <OrderSkeleton label={t('common:loading')} />
      </PublicLayout>
    );
  }
  return (
    <PublicLayout>
      <div className={`container ${styles.waiting}`}>
        {order !== null && <h1 className="visually-hidden">{t('yours')}</h1>}
        {(isError || isPending) && (
          <EmptyState
            drawing={work}
            title={t('failed.title')}
            action={<Button onClick={() => void refetch()}>{t('common:tryAgain')}</Button>}
          >
            {t('failed.text')}
          </EmptyState>
        )}
        {order === null && <MissingOrder token={token} arrival={arrival} />}
      </div>
    </PublicLayout>
  );
}

function MissingOrder({ token, arrival }: { token: string; arrival: Arrival }) {
  if (!isPrivateLink(token)) return <UnknownOrder />;
  return arrival.isFromPayment ? <Confirming isRefused={arrival.isRefused} /> : <UnknownOrder mayStillCome />;
}
