import { useTranslation } from 'react-i18next';
import { usePage } from '../app/use-page.ts';
import noWork from '../art/sp-work.svg';
import { Alert } from '../design/components/Alert.tsx';
import { Button } from '../design/components/Button.tsx';
import { EmptyState } from '../design/components/EmptyState.tsx';
import { Skeleton } from '../design/components/Skeleton.tsx';
import { useFormats } from '../i18n/format.ts';
import { Gate, type OpenSession } from '../portal/Gate.tsx';
import forms from '../portal/forms.module.css';
import { LogIn } from '../portal/LogIn.tsx';
import { AssignmentCard } from './AssignmentCard.tsx';
import { type Assignments, useAssignments } from './assignments.ts';
import styles from './WorkerPortal.module.css';

export function WorkerPortal() {
  const { t } = useTranslation('worker');
  usePage(t('pageTitle'));
  return (
    <Gate
      role="worker"
      guest={(logIn) => (
        <div className={forms.gate}>
          <h1 className="page-title">{t('title')}</h1>
          <p className="lead quiet">{t('lead')}</p>
          <LogIn role="worker" onLogIn={logIn} />
        </div>
      )}
    >
      {(session) => <Dashboard session={session} />}
    </Gate>
  );
}

function Dashboard({ session: { person, call } }: { session: OpenSession<'worker'> }) {
  const { t } = useTranslation('worker');
  const { t: common } = useTranslation();
  const assignments = useAssignments(call);
  return (
    <div className={`container ${styles.dashboard}`}>
      <header>
        <h1 className="section-title">{t('hello', { name: person.name.split(' ')[0] })}</h1>
        <p className="quiet">{t('subtitle', { code: person.workerId })}</p>
        <p className={`quiet ${styles.email}`}>{person.email}</p>
      </header>
      {assignments.isError && (
        <Alert
          kind="wrong"
          action={<Button onClick={() => void assignments.refetch()}>{common('tryAgain')}</Button>}
        >
          {t('loadFailed')}
        </Alert>
      )}
      {assignments.data ? (
        <>
          <Tiles stats={assignments.data.stats} />
          <List assignments={assignments.data.assignments} call={call} />
        </>
      ) : (
        assignments.isPending && <Skeleton label={t('loading')} lines={5} />
      )}
    </div>
  );
}

/** Pending means assigned: product spec section 4. */
function Tiles({ stats }: { stats: Assignments['stats'] }) {
  const { t } = useTranslation('worker');
  const formats = useFormats();
  return (
    <dl className={styles.tiles}>
      <div>
        <dt>{t('tiles.pending')}</dt>
        <dd className="figure">{formats.number(stats.pendingAssignments)}</dd>
      </div>
      <div>
        <dt>{t('tiles.planted')}</dt>
        <dd className="figure">{formats.number(stats.treesPlanted)}</dd>
      </div>
    </dl>
  );
}

function List({
  assignments,
  call,
}: { assignments: Assignments['assignments'] } & Pick<OpenSession<'worker'>, 'call'>) {
  const { t } = useTranslation('worker');
  const [next, ...later] = assignments;
  if (!next) {
    return (
      <EmptyState drawing={noWork} title={t('empty.title')}>
        {t('empty.text')}
      </EmptyState>
    );
  }
  return (
    <>
      <section aria-labelledby="now" className={styles.section}>
        <h2 id="now" className="sub-title">
          {t('now')}
        </h2>
        <AssignmentCard key={next._id} assignment={next} call={call} next />
      </section>
      {later.length > 0 && (
        <section aria-labelledby="assignments" className={styles.section}>
          <h2 id="assignments" className="sub-title">
            {t('assignments')}
          </h2>
          {later.map((assignment) => (
            <AssignmentCard key={assignment._id} assignment={assignment} call={call} />
          ))}
        </section>
      )}
    </>
  );
}
