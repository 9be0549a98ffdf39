import { ADMIN_PROBLEMS } from '@arboleda/contracts/admin-problems.ts';
import { PROBLEMS } from '@arboleda/contracts/problems.ts';
import { VERSION } from '@arboleda/contracts/version.ts';
import { type ComponentType, lazy, Suspense, useEffect, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useSearchParams } from 'react-router-dom';
import { CrashBoundary } from '../design/components/CrashBoundary.tsx';
import { loadChunk } from '../design/load-chunk.ts';
import { usePage } from '../layout/use-page.ts';
import { fieldValley } from '../art/scenes.ts';
import { Alert } from '../design/components/Alert.tsx';
import { Button } from '../design/components/Button.tsx';
import { Gate, type OpenSession } from '../portal/Gate.tsx';
import { GateScreen } from '../portal/GateScreen.tsx';
import { LogIn } from '../portal/LogIn.tsx';
import { KnownProblems } from '../session/problem-text.ts';
import styles from './AdminDashboard.module.css';
import { useOrderCount } from './orders/order-count.ts';
import { PANELS, panelOf } from './panels.ts';
import { AdminRoleContext, useMay } from './permissions.tsx';
import { TableSkeleton } from './shared/Skeletons.tsx';
import { refuseStepUps, withStepUp } from './step-up.ts';
import { usePendingCount } from './transfers/pending-count.ts';
import { Views } from './Views.tsx';

/** Its loss neither reloads nor crashes the dashboard, which can do without. */
const StepUp = lazy<ComponentType<{ session: OpenSession<'admin'> }>>(() =>
  loadChunk(() => import('./StepUp.tsx')).then(
    ({ StepUp: dialog }) => ({ default: dialog }),
    () => ({ default: NoStepUp }),
  ),
);

function NoStepUp() {
  useEffect(refuseStepUps, []);
  return null;
}

export function AdminDashboard() {
  const { t } = useTranslation('admin');
  const state = useLocation().state as { email?: string } | null;
  usePage(t('pageTitle'));
  return (
    <Gate
      role="admin"
      title={t('title')}
      skeleton={(label) => <TableSkeleton label={label} />}
      guest={(logIn) => (
        <GateScreen title={t('logInTitle')} lead={t('logInLead')} scene={fieldValley}>
          <LogIn role="admin" email={state?.email} onLogIn={logIn} />
        </GateScreen>
      )}
    >
      {(session) => <Portal session={session} />}
    </Gate>
  );
}

const PROBLEMS_OF_ADMINS = { ...PROBLEMS, ...ADMIN_PROBLEMS };

/** The dashboard with the role of the admin, whose calls ask for the second factor where they need it. */
function Portal({ session }: { session: OpenSession<'admin'> }) {
  const { call } = session;
  const asking = useMemo(() => withStepUp(call), [call]);
  return (
    <AdminRoleContext value={session.person.adminRole ?? 'auditor'}>
      <KnownProblems value={PROBLEMS_OF_ADMINS}>
        <Dashboard session={{ ...session, call: asking }} />
        <Suspense fallback={null}>
          <StepUp session={session} />
        </Suspense>
      </KnownProblems>
    </AdminRoleContext>
  );
}

function Dashboard({ session }: { session: OpenSession<'admin'> }) {
  const { t } = useTranslation('admin');
  const { t: common } = useTranslation();
  const [search] = useSearchParams();
  const view = panelOf(search.get('view'));
  const { Component, texts, needs } = PANELS[view];
  const may = useMay();
  const pending = usePendingCount(session.call);
  const orders = useOrderCount(session.call);
  // Suspends until the panel's texts are loaded.
  useTranslation([...texts]);
  return (
    <div className={`container ${styles.dashboard}`}>
      <header className={styles.head}>
        <h1 className={styles.title}>{t('title')}</h1>
        <p className="quiet">{t('subtitle')}</p>
        <p className={styles.email}>
          {session.person.email}
          {session.person.adminRole && session.person.adminRole !== 'owner' && (
            <span className="quiet"> · {t(`roles.${session.person.adminRole}`)}</span>
          )}
        </p>
      </header>
      <Views chosen={view} counts={{ transfers: pending?.total, orders }} />
      <CrashBoundary key={view} fallback={<Crashed />}>
        <Suspense fallback={<TableSkeleton label={common('loading')} />}>
          {may(needs) ? <Component session={session} /> : <Alert kind="note">{t('notYourRole')}</Alert>}
        </Suspense>
      </CrashBoundary>
      <footer className={`quiet ${styles.version}`}>{t('version', { version: VERSION })}</footer>
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
