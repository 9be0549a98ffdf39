import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { usePage } from '../app/use-page.ts';
import { fieldValley } from '../art/scenes.ts';
import { Gate, type OpenSession } from '../portal/Gate.tsx';
import { GateScreen } from '../portal/GateScreen.tsx';
import { LogIn } from '../portal/LogIn.tsx';
import styles from './AdminDashboard.module.css';
import { OrderDialog } from './OrderDialog.tsx';
import { OrderList } from './OrderList.tsx';
import { filterOf } from './orders.ts';

export function AdminDashboard() {
  const { t } = useTranslation('admin');
  usePage(t('pageTitle'));
  return (
    <Gate
      role="admin"
      title={t('title')}
      guest={(logIn) => (
        <GateScreen title={t('logInTitle')} lead={t('logInLead')} scene={fieldValley}>
          <LogIn role="admin" onLogIn={logIn} />
        </GateScreen>
      )}
    >
      {(session) => <Dashboard session={session} />}
    </Gate>
  );
}

/** Filter and open order live in the address, so that both can be shared and survive a reload. */
function Dashboard({ session: { person, call } }: { session: OpenSession<'admin'> }) {
  const { t } = useTranslation('admin');
  const [search, setSearch] = useSearchParams();
  const set = (name: 'status' | 'order', value: string | null) =>
    setSearch(
      (current) => {
        const next = new URLSearchParams(current);
        if (value) next.set(name, value);
        else next.delete(name);
        return next;
      },
      // Going back after closing a dialog leads to where one was before it, not into it again.
      { replace: value === null },
    );
  return (
    <div className={`container ${styles.desk}`}>
      <header className={styles.head}>
        <div>
          <h1 className={styles.title}>{t('title')}</h1>
          <p className="quiet">{t('subtitle')}</p>
        </div>
        <p className={styles.email}>{person.email}</p>
      </header>
      <OrderList
        call={call}
        filter={filterOf(search.get('status'))}
        onFilter={(filter) => set('status', filter === 'all' ? null : filter)}
        onOpen={(id) => set('order', id)}
      />
      <OrderDialog call={call} id={search.get('order')} onClose={() => set('order', null)} />
    </div>
  );
}
