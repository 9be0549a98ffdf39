import { useTranslation } from 'react-i18next';
import { usePage } from '../../layout/use-page.ts';
import { Gate, type OpenSession } from '../../portal/Gate.tsx';
import { useAccountLink } from '../account-link.ts';
import { Welcome } from '../Welcome.tsx';
import { Deletion, Details, Export } from './PersonalData.tsx';
import { EmailChange, PasswordChange, Sessions } from './Access.tsx';
import { Emails } from './Emails.tsx';
import styles from './AccountPage.module.css';

export function AccountPage() {
  const { t } = useTranslation('account');
  usePage(`${t('mine.title')} · Arboleda`);
  const links = useAccountLink();
  return (
    <Gate
      role="customer"
      title={t('mine.title')}
      links={links}
      guest={(logIn) => (
        <Welcome onToken={logIn} words={{ title: t('mine.title'), lead: t('mine.logInFirst') }} />
      )}
    >
      {(session) => <Account session={session} />}
    </Gate>
  );
}

function Account({ session }: { session: OpenSession<'customer'> }) {
  const { t } = useTranslation('account');
  return (
    <div className={`container ${styles.account}`}>
      <h1 className="page-title">{t('mine.title')}</h1>
      <Details session={session} />
      <EmailChange session={session} />
      <Emails session={session} />
      <PasswordChange session={session} />
      <Export session={session} />
      <Sessions session={session} />
      <Deletion session={session} />
    </div>
  );
}
