import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePage } from '../layout/use-page.ts';
import { fieldSapling } from '../art/scenes.ts';
import { Alert } from '../design/components/Alert.tsx';
import { ConfirmDialog } from '../design/components/ConfirmDialog.tsx';
import { Gate } from '../portal/Gate.tsx';
import { GateScreen } from '../portal/GateScreen.tsx';
import { LogIn } from '../portal/LogIn.tsx';
import { Dashboard } from './Dashboard.tsx';
import { deleteWork, saveSession } from './outbox/use-outbox.ts';
import { useOwnManifest, useServiceWorker } from './pwa/pwa.tsx';
import styles from './WorkerPortal.module.css';
import { WorkSkeleton } from './WorkSkeleton.tsx';

interface Props {
  /** 0 while nobody wants to log out. */
  unsent: number;
  onStay: () => void;
  onLeave: () => void;
}

function LeaveDialog({ unsent, onStay, onLeave }: Props) {
  const { t } = useTranslation('worker');
  return (
    <ConfirmDialog
      open={unsent > 0}
      onClose={onStay}
      title={t('leave.title', { count: unsent })}
      confirm={t('leave.confirm')}
      onConfirm={onLeave}
    >
      <p>{t('leave.text')}</p>
    </ConfirmDialog>
  );
}

interface Open {
  workerId: string;
  unsent: number;
}

export function WorkerPortal() {
  const { t } = useTranslation('worker');
  usePage(t('pageTitle'));
  useOwnManifest();
  const update = useServiceWorker();
  const open = useRef<Open>(undefined);
  const [leaving, setLeaving] = useState<{ unsent: number; logOut: () => void }>();

  const leave = (logOut: () => void) => {
    const { workerId } = open.current ?? {};
    open.current = undefined;
    setLeaving(undefined);
    void saveSession(undefined);
    if (workerId) void deleteWork(workerId);
    logOut();
  };
  return (
    <Gate
      role="worker"
      title={t('title')}
      skeleton={(label) => (
        <div className={styles.waiting}>
          <WorkSkeleton label={label} />
        </div>
      )}
      onLogOut={(logOut) => {
        const unsent = open.current?.unsent ?? 0;
        if (unsent > 0) setLeaving({ unsent, logOut });
        else leave(logOut);
      }}
      guest={(logIn) => (
        <GateScreen title={t('title')} lead={t('lead')} scene={fieldSapling}>
          {/* Not after a logout: the next user must not see it. */}
          {open.current && open.current.unsent > 0 && (
            <Alert kind="note">{t('sessionOver', { count: open.current.unsent })}</Alert>
          )}
          <LogIn role="worker" onLogIn={logIn} />
        </GateScreen>
      )}
    >
      {(session) => (
        <>
          <Dashboard
            key={session.person.id}
            session={session}
            update={update}
            onUnsent={(unsent) => (open.current = { workerId: session.person.id, unsent })}
          />
          <LeaveDialog
            unsent={leaving?.unsent ?? 0}
            onStay={() => setLeaving(undefined)}
            onLeave={() => leaving && leave(leaving.logOut)}
          />
        </>
      )}
    </Gate>
  );
}
