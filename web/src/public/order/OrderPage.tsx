import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router-dom';
import { useOrder } from '../../api/order.ts';
import { useStatusChanges } from '../../api/status-changes.ts';
import { useOnline } from '../../api/use-online.ts';
import { usePage } from '../../app/use-page.ts';
import work from '../../art/sp-work.svg';
import { Alert } from '../../design/components/Alert.tsx';
import { Button } from '../../design/components/Button.tsx';
import { EmptyState } from '../../design/components/EmptyState.tsx';
import { Skeleton } from '../../design/components/Skeleton.tsx';
import { PublicLayout } from '../layout/PublicLayout.tsx';
import { type Arrival, isPrivateLink, useArrival } from './arrival.ts';
import { Confirming } from './Confirming.tsx';
import { UnknownOrder } from './UnknownOrder.tsx';
import { OrderStory } from './OrderStory.tsx';
import styles from './OrderPage.module.css';

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
        <OrderStory order={order} />
        <p className="visually-hidden" role="status">
          {news.map(({ shortId, status }) =>
            t('moved', { id: shortId, status: t(`common:status.${status}`) }),
          )}
        </p>
      </PublicLayout>
    );
  }
  return (
    <PublicLayout>
      <div className={`container ${styles.waiting}`}>
        {order !== null && <h1 className="visually-hidden">{t('yours')}</h1>}
        {isPending && online && <Skeleton label={t('common:loading')} lines={5} />}
        {(isError || (isPending && !online)) && (
          <EmptyState
            drawing={work}
            title={t('failed.title')}
            action={<Button onClick={() => void refetch()}>{t('common:tryAgain')}</Button>}
          >
            {t('failed.text')}
          </EmptyState>
        )}
        {order === null && <NotThere token={token} arrival={arrival} />}
      </div>
    </PublicLayout>
  );
}

/** Paid a moment ago, or reached by an invalid link. */
function NotThere({ token, arrival }: { token: string; arrival: Arrival }) {
  if (!isPrivateLink(token)) return <UnknownOrder />;
  return arrival.isFromPayment ? <Confirming isRefused={arrival.isRefused} /> : <UnknownOrder mayStillCome />;
}
