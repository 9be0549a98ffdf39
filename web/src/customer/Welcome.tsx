import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router-dom';
import { Tabs } from '../design/components/Tabs.tsx';
import styles from '../portal/forms.module.css';
import { LogIn } from '../portal/LogIn.tsx';
import { Register } from './Register.tsx';

/** What the order page hands over: the address that was just used, and that an account is wanted. */
export interface Invitation {
  email?: string;
  register?: boolean;
}

/** The way in: log in, or open an account. */
export function Welcome({ onToken, reason }: { onToken: (token: string) => void; reason?: string }) {
  const { t } = useTranslation('customer');
  const invitation = (useLocation().state ?? {}) as Invitation;
  const [tab, setTab] = useState<'logIn' | 'register'>(invitation.register ? 'register' : 'logIn');
  return (
    <div className={styles.gate}>
      <h1 className="page-title">{t('title')}</h1>
      <p className="lead quiet">{reason ?? t('lead')}</p>
      <Tabs
        label={t('title')}
        tabs={[
          { name: 'logIn', label: t('tabs.logIn') },
          { name: 'register', label: t('tabs.register') },
        ]}
        chosen={tab}
        onChoose={setTab}
      >
        {tab === 'logIn' ? (
          <LogIn role="customer" onLogIn={onToken} />
        ) : (
          <Register email={invitation.email} onRegistered={onToken} />
        )}
      </Tabs>
    </div>
  );
}
