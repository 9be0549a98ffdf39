import type { Role } from '@arboleda/contracts/roles.ts';
import { Activity, type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Alert } from '../design/components/Alert.tsx';
import { Button } from '../design/components/Button.tsx';
import { Skeleton } from '../design/components/Skeleton.tsx';
import { type People, type PortalCall, type Session, useSession } from '../session/session.ts';
import { PortalLayout, type PortalLink } from './PortalLayout.tsx';
import styles from './Gate.module.css';

export type OpenSession<R extends Role> = {
  person: People[R];
  call: PortalCall;
  /** Replaces the session token, for example after a password change. */
  logIn: (token: string) => void;
  logOut: () => void;
};

interface Props<R extends Role> {
  role: R;
  /** Heading while no content is loaded. */
  title: string;
  guest: (logIn: (token: string) => void) => ReactNode;
  children: (session: OpenSession<R>) => ReactNode;
  /** In the shape of the portal, while a token is verified. */
  skeleton?: ((label: string) => ReactNode) | undefined;
  /** Links besides home and dashboard. */
  links?: readonly PortalLink[];
  /** Confirms logging out; logs out immediately by default. */
  onLogOut?: (logOut: () => void) => void;
}

export function Gate<R extends Role>({ role, title, guest, children, skeleton, links, onLogOut }: Props<R>) {
  const session = useSession(role);
  const person = session.state === 'in' ? session.person : undefined;
  const last = useLastPerson(session);
  const { call, logIn, logOut } = session;
  useFocusOnHeading(session.state);
  const leave = person && onLogOut ? () => onLogOut(logOut) : logOut;
  return (
    <PortalLayout
      role={role}
      isGuest={session.state === 'out'}
      person={person && { name: person.name }}
      logOut={person || session.state === 'unreachable' ? leave : undefined}
      links={links}
    >
      {!person && (
        <div className="container">
          {session.state === 'out' ? (
            guest(logIn)
          ) : (
            <Waiting session={session} title={title} skeleton={skeleton} />
          )}
        </div>
      )}
      {last && (
        <Activity key={last.id} mode={person ? 'visible' : 'hidden'}>
          {children({ person: last, call, logIn, logOut })}
        </Activity>
      )}
    </PortalLayout>
  );
}

/**
 * The current person, or the last one when the server ended the session. Their page stays mounted but hidden with its
 * input until they return. Logging out or another login unmounts it.
 */
function useLastPerson<R extends Role>(session: Session<R>): People[R] | undefined {
  const [last, setLast] = useState<People[R]>();
  const next =
    session.state === 'in'
      ? session.person
      : session.state === 'out' && session.end === undefined
        ? undefined
        : last;
  if (next !== last) setLast(next);
  return next;
}

function Waiting<R extends Role>({
  session,
  title,
  skeleton = (label) => <Skeleton label={label} />,
}: Pick<Props<R>, 'title' | 'skeleton'> & { session: Session<R> }) {
  const { t } = useTranslation('portal');
  const { t: common } = useTranslation();
  return (
    <div className={styles.waiting}>
      <h1 className="section-title">{title}</h1>
      {session.state === 'unreachable' ? (
        <Alert kind="offline" action={<Button onClick={session.retry}>{common('tryAgain')}</Button>}>
          {t('unreachable')}
        </Alert>
      ) : (
        skeleton(t('checking'))
      )}
    </div>
  );
}

/** Logging in or out replaces the page, so the focus moves to its heading as after navigation. */
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
