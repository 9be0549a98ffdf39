import { useTranslation } from 'react-i18next';
import { usePage } from '../app/use-page.ts';
import { fieldSapling } from '../art/scenes.ts';
import notLoaded from '../art/sp-work.svg';
import { Alert } from '../design/components/Alert.tsx';
import { Button } from '../design/components/Button.tsx';
import { EmptyState } from '../design/components/EmptyState.tsx';
import { Skeleton } from '../design/components/Skeleton.tsx';
import { useFormats } from '../i18n/format.ts';
import { Gate, type OpenSession } from '../portal/Gate.tsx';
import { GateScreen } from '../portal/GateScreen.tsx';
import { LogIn } from '../portal/LogIn.tsx';
import { firstName } from '../portal/names.ts';
import { AssignmentList } from './AssignmentList.tsx';
import { type Assignment, type Assignments, useAssignments, useRefreshAssignments } from './assignments.ts';
import { isOpen, type PhotoQueue, usePhotoQueue } from './photo-queue.ts';
import styles from './WorkerPortal.module.css';

export function WorkerPortal() {
  const { t } = useTranslation('worker');
  usePage(t('pageTitle'));
  return (
    <Gate
      role="worker"
      title={t('title')}
      guest={(logIn) => (
        <GateScreen title={t('title')} lead={t('lead')} scene={fieldSapling}>
          <LogIn role="worker" onLogIn={logIn} />
        </GateScreen>
      )}
    >
      {(session) => <Dashboard session={session} />}
    </Gate>
  );
}

function Dashboard({ session }: { session: OpenSession<'worker'> }) {
  const { t } = useTranslation('worker');
  const { person, call } = session;
  const queue = usePhotoQueue(useRefreshAssignments());
  const { data, isError, refetch } = useAssignments(session, awaitsPhotos(queue));
  return (
    <div className={`container ${styles.dashboard}`}>
      <header>
        <h1 className="section-title">{t('hello', { name: firstName(person.name) })}</h1>
        <p className="quiet">{t('subtitle', { code: person.workerId })}</p>
        <p className={`quiet ${styles.email}`}>{person.email}</p>
      </header>
      {isError && <LoadFailure hasData={data !== undefined} onRetry={() => void refetch()} />}
      {data && (
        <>
          <Tiles stats={data.stats} />
          <AssignmentList assignments={data.assignments} call={call} queue={queue} />
        </>
      )}
      {!data && !isError && <Skeleton label={t('loading')} lines={5} />}
    </div>
  );
}

/** Whether a photo that was sent is still being prepared. */
const awaitsPhotos =
  ({ photos }: PhotoQueue) =>
  (assignments: readonly Assignment[]): boolean => {
    const shown = assignments.flatMap((assignment) => assignment.photos);
    return photos.some((photo) => photo.state.step === 'sent' && isOpen(photo, shown));
  };

/** Nothing to show, or only what was known before. */
function LoadFailure({ hasData, onRetry }: { hasData: boolean; onRetry: () => void }) {
  const { t } = useTranslation('worker');
  const { t: common } = useTranslation();
  const tryAgain = <Button onClick={onRetry}>{common('tryAgain')}</Button>;
  if (hasData) {
    return (
      <Alert kind="offline" action={tryAgain}>
        {t('stale')}
      </Alert>
    );
  }
  return (
    <div role="alert">
      <EmptyState drawing={notLoaded} title={t('loadFailed')} action={tryAgain}>
        {t('loadFailedText')}
      </EmptyState>
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
