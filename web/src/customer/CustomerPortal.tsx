import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router-dom';
import { CrashBoundary } from '../design/components/CrashBoundary.tsx';
import { loadChunk } from '../design/load-chunk.ts';
import { usePage } from '../layout/use-page.ts';
import { Alert } from '../design/components/Alert.tsx';
import { Gate, type OpenSession } from '../portal/Gate.tsx';
import { useAccountLink } from './account-link.ts';
import { useArrival } from './arrival.ts';
import styles from './CustomerPortal.module.css';
import { Orders } from './Orders.tsx';
import { OrdersSkeleton } from './OrdersSkeleton.tsx';
import { VerifyNotice } from './VerifyNotice.tsx';
import { Welcome } from './Welcome.tsx';

const PortalGifts = lazy(async () => ({
  default: (await loadChunk(() => import('./PortalGifts.tsx'))).PortalGifts,
}));

export function CustomerPortal() {
  const { t } = useTranslation('customer');
  usePage(t('pageTitle'));
  const links = useAccountLink();
  return (
    <Gate
      role="customer"
      title={t('title')}
      links={links}
      skeleton={(label) => <OrdersSkeleton label={label} />}
      guest={(logIn) => <Welcome onToken={logIn} />}
    >
      {(session) => <Dashboard session={session} />}
    </Gate>
  );
}

function Dashboard({ session }: { session: OpenSession<'customer'> }) {
  const { t } = useTranslation('customer');
  const arrival = useArrival();
  const justVerified = (useLocation().state as { verified?: boolean } | null)?.verified;
  return (
    <div className={`container ${styles.dashboard}`}>
      <h1 className="page-title">{t('title')}</h1>
      <CrashBoundary panel>
        <Suspense>
          <PortalGifts session={session} arrival={arrival} />
        </Suspense>
      </CrashBoundary>
      {session.person.emailVerified ? (
        <>
          {justVerified && <Alert kind="good">{t('verify.thanks')}</Alert>}
          <Orders session={session} arrival={arrival} />
        </>
      ) : (
        <VerifyNotice session={session} />
      )}
    </div>
  );
}
