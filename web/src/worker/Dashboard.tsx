import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import notLoaded from '../art/sp-work.svg';
import { Alert } from '../design/components/Alert.tsx';
import { Button } from '../design/components/Button.tsx';
import { EmptyState } from '../design/components/EmptyState.tsx';
import type { OpenSession } from '../portal/Gate.tsx';
import { firstName } from '../portal/names.ts';
import { FieldProvider } from './field.ts';
import { type Item, isPhoto, isUnsent } from './outbox/item.ts';
import { hasStorage, useOutbox, useSentPhotos } from './outbox/use-outbox.ts';
import { InstallOffer, type Update, UpdateOffer } from './pwa/pwa.tsx';
import { SignalBanner } from './SignalBanner.tsx';
import { TaskList } from './TaskList.tsx';
import { type Assignment, withSteps, withStepsInStats, type Work } from './tasks.ts';
import { Tiles } from './Tiles.tsx';
import { useOnline } from '../api/use-online.ts';
import { useUnshowable, useWork } from './use-work.ts';
import styles from './WorkerPortal.module.css';
import { WorkSkeleton } from './WorkSkeleton.tsx';

interface Props {
  session: OpenSession<'worker'>;
  update: Update;
  onUnsent: (count: number) => void;
}

/** The worker's tasks known on this phone, and items waiting to be sent. */
export function Dashboard({ session, update, onUnsent }: Props) {
  const { t } = useTranslation('worker');
  const { person } = session;
  const isOnline = useOnline();
  const { outbox, items, sending, isRead, currentId } = useOutbox(session, {
    onReceipt: (_item, receipt) =>
      receipt.kind === 'status' ? replace(receipt.assignment as Assignment) : void refresh(),
    onSessionOver: () => void refresh(),
  });
  const { work, asOf, isFailing, hasLooked, retry, refresh, replace } = useWork(session, awaitsPhotos(items));

  const unsent = items.filter(isUnsent);
  useEffect(() => void onUnsent(unsent.length));
  const unshowable = useUnshowable(session);
  useSentPhotos(session, outbox, items);
  useShownPhotos(work, items, (id) => void outbox?.remove(id));

  return (
    <>
      <SignalBanner
        isOffline={!isOnline || isFailing}
        photos={unsent.filter(isPhoto).length}
        onRetry={() => (retry(), outbox?.retryNow())}
      />
      <div className={`container ${styles.dashboard}`}>
        <header>
          <h1 className="section-title">{t('hello', { name: firstName(person.name) })}</h1>
          <p className="quiet">{t('subtitle', { code: person.workerId })}</p>
          <p className={`quiet ${styles.email}`}>{person.email}</p>
        </header>
        <StorageNotice items={items} />
        <UpdateOffer update={update} isBusy={sending !== undefined} />
        {!work && isFailing && hasLooked && <LoadFailure onRetry={retry} />}
        {!work && !(isFailing && hasLooked) && <WorkSkeleton label={t('loading')} />}
        {work && outbox && isRead && (
          <FieldProvider value={{ workerId: person.id, outbox, items, sending, isOnline, unshowable }}>
            <TaskList
              assignments={work.assignments.assignments.map((one) => withSteps(one, items))}
              visits={work.visits.visits}
              asOf={asOf}
              currentId={currentId}
              tiles={<Tiles stats={withStepsInStats(work.assignments, items)} />}
            />
          </FieldProvider>
        )}
        <InstallOffer />
      </div>
    </>
  );
}

const shownPhotos = ({ assignments, visits }: Work): Set<string> =>
  new Set([...assignments.assignments, ...visits.visits].flatMap(({ photos }) => photos));

const awaitsPhotos =
  (items: readonly Item[]) =>
  (work: Work): boolean => {
    const shown = shownPhotos(work);
    return items.some(
      ({ state }) =>
        state.step === 'sent' && !state.again && !state.isHandedOver && !shown.has(state.filename),
    );
  };

/** Removes photos the server shows; announces a duplicate. */
function useShownPhotos(work: Work | undefined, items: readonly Item[], remove: (id: string) => void): void {
  useEffect(() => {
    if (!work) return;
    const shown = shownPhotos(work);
    for (const { id, state } of items)
      if (state.step === 'sent' && !state.again && shown.has(state.filename)) remove(id);
  });
}

/** Asks to keep the page open when the phone cannot store items. */
function StorageNotice({ items }: { items: readonly Item[] }) {
  const { t } = useTranslation('worker');
  const [isDisabled, setDisabled] = useState(false);
  useEffect(() => void hasStorage().then((keeps) => setDisabled(!keeps)), []);
  const isFull = !isDisabled && items.some(({ unkept, state }) => unkept && state.step === 'waiting');
  if (!isDisabled && !isFull) return null;
  return <Alert kind="note">{t(isDisabled ? 'storage.disabled' : 'storage.full')}</Alert>;
}

function LoadFailure({ onRetry }: { onRetry: () => void }) {
  const { t } = useTranslation('worker');
  const { t: common } = useTranslation();
  return (
    <div role="alert">
      <EmptyState
        drawing={notLoaded}
        title={t('loadFailed')}
        action={<Button onClick={onRetry}>{common('tryAgain')}</Button>}
      >
        {t('loadFailedText')}
      </EmptyState>
    </div>
  );
}
