import type { Role } from '@arboleda/contracts/roles.ts';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Alert } from '../design/components/Alert.tsx';
import { Button } from '../design/components/Button.tsx';
import { Skeleton } from '../design/components/Skeleton.tsx';
import { type People, type PortalCall, type Session, useSession } from '../session/session.ts';
import { PortalLayout } from './PortalLayout.tsx';
import styles from './Gate.module.css';

export type OpenSession<R extends Role> = {
  person: People[R];
  call: PortalCall;
  logIn: (token: string) => void;
};

interface Props<R extends Role> {
  role: R;
  /** Heads the page while nothing else can. */
  title: string;
  /** What a guest sees: the way in. */
  guest: (logIn: (token: string) => void) => ReactNode;
  children: (session: OpenSession<R>) => ReactNode;
}

/** Lets in who is logged in, and shows the others the way. */
export function Gate<R extends Role>({ role, title, guest, children }: Props<R>) {
  const session = useSession(role);
  const person = session.state === 'in' ? { name: session.person.name } : undefined;
  useFocusOnHeading(session.state);
  return (
    <PortalLayout
      role={role}
      isGuest={session.state === 'out'}
      person={person}
      logOut={'logOut' in session ? session.logOut : undefined}
    >
      {session.state === 'in' ? (
        children(session)
      ) : (
        <div className="container">
          {session.state === 'out' ? guest(session.logIn) : <Waiting session={session} title={title} />}
        </div>
      )}
    </PortalLayout>
  );
}

function Waiting<R extends Role>({
  session,
  title,
}: {
  session: Extract<Session<R>, { state: 'checking' | 'unreachable' }>;
  title: string;
}) {
  const { t } = useTranslation('portal');
  const { t: common } = useTranslation();
  return (
    <div className={styles.waiting}>
      <h1 className="section-title">{title}</h1>
      {session.state === 'checking' ? (
        <Skeleton label={t('checking')} />
      ) : (
        <Alert kind="offline" action={<Button onClick={session.retry}>{common('tryAgain')}</Button>}>
          {t('unreachable')}
        </Alert>
      )}
    </div>
  );
}

/** Logging in and out changes the whole page: the focus goes to its heading, as after a navigation. */
function useFocusOnHeading(state: Session<Role>['state']): void {
  const settled = useRef<'in' | 'out'>(undefined);
  useEffect(() => {
    if (state !== 'in' && state !== 'out') return;
    const before = settled.current;
    settled.current = state;
    if (before === undefined || before === state) return;
    const heading = document.querySelector<HTMLElement>('main h1');
    if (!heading) return;
    heading.tabIndex = -1;
    heading.focus();
  }, [state]);
}
