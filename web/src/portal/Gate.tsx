import type { Role } from '@arboleda/contracts/roles.ts';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Alert } from '../design/components/Alert.tsx';
import { Button } from '../design/components/Button.tsx';
import { Skeleton } from '../design/components/Skeleton.tsx';
import { type People, type PortalCall, type Session, useSession } from '../session/session.ts';
import { PortalLayout } from './PortalLayout.tsx';

export type OpenSession<R extends Role> = {
  person: People[R];
  call: PortalCall;
  logIn: (token: string) => void;
};

interface Props<R extends Role> {
  role: R;
  /** What a guest sees: the way in. */
  guest: (logIn: (token: string) => void) => ReactNode;
  children: (session: OpenSession<R>) => ReactNode;
}

/** Lets in who is logged in, and shows the others the way. */
export function Gate<R extends Role>({ role, guest, children }: Props<R>) {
  const session = useSession(role);
  const person = session.state === 'in' ? { name: session.person.name, logOut: session.logOut } : undefined;
  return (
    <PortalLayout role={role} person={person}>
      <Inside session={session} guest={guest}>
        {children}
      </Inside>
    </PortalLayout>
  );
}

function Inside<R extends Role>({
  session,
  guest,
  children,
}: { session: Session<R> } & Omit<Props<R>, 'role'>) {
  const { t } = useTranslation('portal');
  const { t: common } = useTranslation();
  switch (session.state) {
    case 'in':
      return children(session);
    case 'out':
      return <div className="container">{guest(session.logIn)}</div>;
    case 'checking':
      return (
        <div className="container">
          <Skeleton label={t('checking')} />
        </div>
      );
    case 'unreachable':
      return (
        <div className="container">
          <Alert kind="offline" action={<Button onClick={session.retry}>{common('tryAgain')}</Button>}>
            {t('unreachable')}
          </Alert>
        </div>
      );
  }
}
