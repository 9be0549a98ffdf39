import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router-dom';
import { loadChunk } from '../design/load-chunk.ts';
import { fieldPortrait } from '../art/scenes.ts';
import { Alert } from '../design/components/Alert.tsx';
import { FormSkeleton } from '../design/components/Skeleton.tsx';
import { Tabs } from '../design/components/Tabs.tsx';
import { GateScreen } from '../portal/GateScreen.tsx';
import styles from './CustomerPortal.module.css';

const LogIn = lazy(async () => ({
  default: (await loadChunk(() => import('../portal/LogIn.tsx'))).LogIn,
}));
const Register = lazy(async () => ({
  default: (await loadChunk(() => import('./Register.tsx'))).Register,
}));

/** State passed from the order page: the buyer's address, and whether to open registration. */
export interface Invitation {
  email?: string;
  register?: boolean;
  notice?: 'deleted' | 'loggedOut';
}

interface Props {
  onToken: (token: string) => void;
  /** Reason for the login; the portal's text by default. */
  words?: { title: string; lead: string };
}

/** Login or registration; the typed address is kept when switching. */
export function Welcome({ onToken, words }: Props) {
  const { t } = useTranslation('customer');
  const { t: common } = useTranslation();
  const invitation = (useLocation().state ?? {}) as Invitation;
  const [tab, setTab] = useState<'logIn' | 'register'>(invitation.register ? 'register' : 'logIn');
  const [email, setEmail] = useState(invitation.email ?? '');
  return (
    <GateScreen
      title={words?.title ?? t('title')}
      lead={words?.lead ?? t(tab === 'logIn' ? 'lead' : 'registerLead')}
      scene={fieldPortrait}
    >
      {invitation.notice && (
        <div className={styles.notice}>
          <Alert kind="good">{t(`notice.${invitation.notice}`)}</Alert>
        </div>
      )}
      <Tabs
        label={t('tabs.label')}
        tabs={[
          { name: 'logIn', label: t('tabs.logIn') },
          { name: 'register', label: t('tabs.register') },
        ]}
        chosen={tab}
        onChoose={setTab}
      >
        <Suspense fallback={<FormSkeleton label={common('loading')} />}>
          {tab === 'logIn' ? (
            <LogIn role="customer" email={email} onEmail={setEmail} onLogIn={onToken} />
          ) : (
            <Register
              email={email}
              onEmail={setEmail}
              onRegistered={onToken}
              onLogInInstead={() => setTab('logIn')}
            />
          )}
        </Suspense>
      </Tabs>
    </GateScreen>
  );
}
