import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router-dom';
import { usePage } from '../app/use-page.ts';
import noTrees from '../art/sp-seeds.svg';
import { Alert } from '../design/components/Alert.tsx';
import { Button, ButtonLink } from '../design/components/Button.tsx';
import { EmptyState } from '../design/components/EmptyState.tsx';
import { Skeleton } from '../design/components/Skeleton.tsx';
import { useFormats } from '../i18n/format.ts';
import { Gate, type OpenSession } from '../portal/Gate.tsx';
import styles from './CustomerPortal.module.css';
import { OrderStory } from './OrderStory.tsx';
import { type CustomerOrder, statsOf, useOrders } from './orders.ts';
import { VerifyNotice } from './VerifyNotice.tsx';
import { Welcome } from './Welcome.tsx';

export function CustomerPortal() {
  const { t } = useTranslation('customer');
  usePage(t('pageTitle'));
  return (
    <Gate role="customer" guest={(logIn) => <Welcome onToken={logIn} />}>
      {(session) => <Dashboard session={session} />}
    </Gate>
  );
}

function Dashboard({ session }: { session: OpenSession<'customer'> }) {
  const { t } = useTranslation('customer');
  const { t: common } = useTranslation();
  const justVerified = (useLocation().state as { verified?: boolean } | null)?.verified;
  const query = useOrders(session.call);
  return (
    <div className={`container ${styles.dashboard}`}>
      <h1 className="page-title">{t('title')}</h1>
      {!session.person.emailVerified && <VerifyNotice session={session} />}
      {justVerified && <Alert kind="good">{t('verify.thanks')}</Alert>}
      {query.isError && (
        <Alert
          kind="wrong"
          action={<Button onClick={() => void query.refetch()}>{common('tryAgain')}</Button>}
        >
          {t('orders.failed')}
        </Alert>
      )}
      {query.isPending && <Skeleton label={t('orders.loading')} lines={6} />}
      {query.data && <Tiles orders={query.data.orders} />}
      {query.data && <Orders orders={query.data.orders} />}
    </div>
  );
}

function Tiles({ orders }: { orders: readonly CustomerOrder[] }) {
  const { t } = useTranslation('customer');
  const formats = useFormats();
  const stats = statsOf(orders);
  const tiles = [
    { label: t('tiles.ordered'), value: stats.totalTrees },
    { label: t('tiles.planted'), value: stats.treesPlanted },
    { label: t('tiles.orders'), value: stats.totalOrders },
    { label: t('tiles.carbon'), value: stats.carbonOffset, hint: t('tiles.carbonHint') },
  ];
  return (
    <dl className={styles.tiles}>
      {tiles.map(({ label, value, hint }) => (
        <div key={label}>
          <dt>
            {label}
            {hint && <span className={`least quiet ${styles.hint}`}>{hint}</span>}
          </dt>
          <dd className="figure">{formats.number(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

function Orders({ orders }: { orders: readonly CustomerOrder[] }) {
  const { t } = useTranslation('customer');
  if (orders.length === 0) {
    return (
      <EmptyState
        drawing={noTrees}
        title={t('orders.emptyTitle')}
        action={
          <ButtonLink look="accent" to="/">
            {t('orders.plant')}
          </ButtonLink>
        }
      >
        {t('orders.emptyText')}
      </EmptyState>
    );
  }
  return (
    <section aria-labelledby="orders" className={styles.orders}>
      <h2 id="orders" className="section-title">
        {t('orders.title')}
      </h2>
      {orders.map((order) => (
        <OrderStory key={order._id} order={order} />
      ))}
    </section>
  );
}
