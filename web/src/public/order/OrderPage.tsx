import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router-dom';
import { useOrder } from '../../api/order.ts';
import { usePage } from '../../app/use-page.ts';
import work from '../../art/sp-work.svg';
import { Button } from '../../design/components/Button.tsx';
import { EmptyState } from '../../design/components/EmptyState.tsx';
import { Skeleton } from '../../design/components/Skeleton.tsx';
import { PublicLayout } from '../layout/PublicLayout.tsx';
import { Confirming } from './Confirming.tsx';
import { OrderStory } from './OrderStory.tsx';
import styles from './OrderPage.module.css';

/** Confirmation right after paying, and the page to follow an order by its private link for years. */
export function OrderPage() {
  const { t } = useTranslation(['order', 'common']);
  const { token = '' } = useParams();
  const { data: order, isError, isPending, refetch } = useOrder(token);
  usePage(order ? `${t('order', { id: order.shortId })} · Arboleda` : t('title'));
  if (order) {
    return (
      <PublicLayout>
        <OrderStory order={order} />
      </PublicLayout>
    );
  }
  return (
    <PublicLayout>
      <div className={`container ${styles.waiting}`}>
        {isPending && <Skeleton label={t('common:loading')} lines={5} />}
        {isError && (
          <EmptyState
            drawing={work}
            title={t('failed.title')}
            action={<Button onClick={() => void refetch()}>{t('common:tryAgain')}</Button>}
          >
            {t('failed.text')}
          </EmptyState>
        )}
        {order === null && <Confirming />}
      </div>
    </PublicLayout>
  );
}
