import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { OpenSession } from '../../portal/Gate.tsx';
import { ownerOf } from '../../session/token-claims.ts';
import { readToken } from '../../session/token-store.ts';
import { askForSync } from '../pwa/use-service-worker.ts';
import type { Receipt } from './drain.ts';
import { type Item, isUnsent } from './item.ts';
import { openOutbox, type Outbox, type OutboxSnapshot } from './outbox.ts';
import { requestPersistentStorage, saveSession, phoneStore } from './phone.ts';
import { sendAs } from './send.ts';

const NOTHING: OutboxSnapshot = { items: [], sending: undefined, isRead: false };

/** The token, if it belongs to this worker: another window may have a different session. */
function tokenOf(workerId: string): string | undefined {
  const token = readToken('worker');
  return token && ownerOf(token) === workerId ? token : undefined;
}

/** The outbox of the logged-in worker; closed on log-out or another log-in. */
export function useOutbox(
  { person }: Pick<OpenSession<'worker'>, 'person'>,
  events: { onReceipt: (item: Item, receipt: Receipt) => void | Promise<void>; onSessionOver: () => void },
) {
  const latest = useRef(events);
  useEffect(() => {
    latest.current = events;
  });
  const [outbox, setOutbox] = useState<Outbox>();
  useEffect(() => {
    const opened = openOutbox({
      store: phoneStore(),
      workerId: person.id,
      send: (...sent) => sendAs(tokenOf(person.id)!)(...sent),
      mayGoOn: () => tokenOf(person.id) !== undefined,
      onReceipt: (item, receipt) => latest.current.onReceipt(item, receipt),
      onSessionOver: () => latest.current.onSessionOver(),
    });
    setOutbox(opened);
    const token = tokenOf(person.id);
    if (token) void saveSession({ workerId: person.id, token });
    opened.retryNow();
    const look = () => document.visibilityState === 'visible' && opened.retryNow();
    window.addEventListener('online', opened.retryNow);
    document.addEventListener('visibilitychange', look);
    return () => {
      window.removeEventListener('online', opened.retryNow);
      document.removeEventListener('visibilitychange', look);
      opened.close();
      setOutbox(undefined);
    };
  }, [person.id]);

  const snapshot = useSyncExternalStore(
    useCallback((tell) => outbox?.subscribe(tell) ?? (() => undefined), [outbox]),
    () => outbox?.snapshot() ?? NOTHING,
  );
  const hasItems = snapshot.items.length > 0;
  useEffect(() => {
    if (hasItems) requestPersistentStorage();
  }, [hasItems]);
  const unsent = snapshot.items.filter(isUnsent).length;
  useEffect(() => {
    if (unsent > 0) void askForSync();
  }, [unsent]);
  useLeaveWarning(snapshot.items.some(({ unkept, state }) => unkept && state.step === 'waiting'));
  return { outbox, ...snapshot };
}

/** Makes the browser confirm closing a page with unsaved data. */
export function useLeaveWarning(isNeeded: boolean): void {
  useEffect(() => {
    if (!isNeeded) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [isNeeded]);
}
