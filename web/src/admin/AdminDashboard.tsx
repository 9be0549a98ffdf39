import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useSearchParams } from 'react-router-dom';
import { CrashBoundary } from '../app/CrashBoundary.tsx';
import { usePage } from '../app/use-page.ts';
import { fieldValley } from '../art/scenes.ts';
import { Alert } from '../design/components/Alert.tsx';
import { Button } from '../design/components/Button.tsx';
import { Skeleton } from '../design/components/Skeleton.tsx';
import { Gate, type OpenSession } from '../portal/Gate.tsx';
import { GateScreen } from '../portal/GateScreen.tsx';
import { LogIn } from '../portal/LogIn.tsx';
import styles from './AdminDashboard.module.css';
import { useOrderCount } from './orders/order-count.ts';
import { PANELS, panelOf } from './panels.ts';
import { usePendingCount } from './transfers/pending-count.ts';
import { Views } from './Views.tsx';

export function AdminDashboard() {
  const { t } = useTranslation('admin');
  const state = useLocation().state as { email?: string } | null;
  usePage(t('pageTitle'));
  return (
    <Gate
      role="admin"
      title={t('title')}
      guest={(logIn) => (
        <GateScreen title={t('logInTitle')} lead={t('logInLead')} scene={fieldValley}>
          <LogIn role="admin" email={state?.email} onLogIn={logIn} />
        </GateScreen>
      )}
    >
      {(session) => <Dashboard session={session} />}
    </Gate>
  );
}

function Dashboard({ session }: { session: OpenSession<'admin'> }) {
  const { t } = useTranslation('admin');
  const { t: common } = useTranslation();
  const [search] = useSearchParams();
  const view = panelOf(search.get('view'));
  const { Component, texts } = PANELS[view];
  const pending = usePendingCount(session.call);
  const orders = useOrderCount(session.call);
  // Suspends until the panel's texts are loaded.
  useTranslation([...texts]);
  return (
    <div className={`container ${styles.dashboard}`}>
      <header className={styles.head}>
        <h1 className={styles.title}>{t('title')}</h1>
        <p className="quiet">{t('subtitle')}</p>
        <p className={styles.email}>{session.person.email}</p>
      </header>
      <Views chosen={view} counts={{ transfers: pending?.total, orders }} />
      <CrashBoundary key={view} fallback={<Crashed />}>
        <Suspense fallback={<Skeleton label={common('loading')} lines={6} />}>
          <Component session={session} />
        </Suspense>
      </CrashBoundary>
    </div>
  );
}

/** A crashed panel leaves the others usable. */
function Crashed() {
  const { t } = useTranslation('admin');
  const { t: common } = useTranslation();
  return (
    <Alert
      kind="wrong"
      action={<Button onClick={() => window.location.reload()}>{common('crash.reload')}</Button>}
    >
      {t('crashed')}
    </Alert>
  );
}
