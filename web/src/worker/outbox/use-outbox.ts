import type { PhotoState } from '@arboleda/contracts/photo.ts';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { ApiProblem } from '../../api/problem.ts';
import { askedPauseMs } from '../../api/refresh.ts';
import type { OpenSession } from '../../portal/Gate.tsx';
import { ownerOf } from '../../session/token-claims.ts';
import { readToken } from '../../session/token-store.ts';
import { askForSync } from '../pwa/pwa.tsx';
import type { Work } from '../tasks.ts';
import { databaseStore, openWorkerDatabase, type WorkerDatabase } from './database.ts';
import type { Receipt } from './drain.ts';
import { isUnsent, isUnsettled, type Item } from './item.ts';
import { openOutbox, type Outbox, type OutboxSnapshot } from './outbox.ts';
import { sendAs } from './send.ts';
import { type Store, storeWithFallback } from './store.ts';

let opening: Promise<WorkerDatabase | undefined> | undefined;
let store: Store | undefined;

/** Undefined when the browser has no storage. */
const database = (): Promise<WorkerDatabase | undefined> =>
  (opening ??= openWorkerDatabase().catch(() => undefined));

export const phoneStore = (): Store =>
  (store ??= storeWithFallback(database().then((open) => open && databaseStore(open))));

export const hasStorage = async (): Promise<boolean> => (await database()) !== undefined;

export async function saveWork(workerId: string, work: Work): Promise<void> {
  await (await database())?.put('work', work, workerId).catch(() => undefined);
}

export async function readWork(workerId: string): Promise<Work | undefined> {
  return (await (await database())?.get('work', workerId).catch(() => undefined)) as Work | undefined;
}

/** Deletes customers' addresses before the next worker logs in. */
export async function deleteWork(workerId: string): Promise<void> {
  await (await database())?.delete('work', workerId).catch(() => undefined);
}

/** Stores the session the service worker sends with while no page is open. */
export async function saveSession(session: { workerId: string; token: string } | undefined): Promise<void> {
  const open = await database();
  await (session ? open?.put('session', session, 'worker') : open?.delete('session', 'worker'))?.catch(
    () => undefined,
  );
}

/** Requests persistent storage, so that the browser does not evict photos. */
const requestPersistentStorage = (): void => void navigator.storage?.persist?.().catch(() => undefined);

/** Simulates a reload in tests. */
export async function reopenPhone(): Promise<void> {
  (await opening)?.close();
  opening = store = undefined;
}

const NOTHING: OutboxSnapshot = { items: [], sending: undefined, isRead: false, currentId: undefined };

function tokenOf(workerId: string): string | undefined {
  const token = readToken('worker');
  return token && ownerOf(token) === workerId ? token : undefined;
}

/** The outbox of the logged-in worker; closed on logout or another login. */
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
      shouldContinue: () => tokenOf(person.id) !== undefined,
      onReceipt: (item, receipt) => latest.current.onReceipt(item, receipt),
      onSessionOver: () => latest.current.onSessionOver(),
    });
    setOutbox(opened);
    const token = tokenOf(person.id);
    if (token) void saveSession({ workerId: person.id, token });
    // A reload ends the time in which a step can be undone.
    void opened.sendHeld();
    const look = () => document.visibilityState === 'visible' && opened.retryNow();
    window.addEventListener('online', opened.retryNow);
    window.addEventListener('pagehide', opened.sendHeld);
    document.addEventListener('visibilitychange', look);
    return () => {
      window.removeEventListener('online', opened.retryNow);
      window.removeEventListener('pagehide', opened.sendHeld);
      document.removeEventListener('visibilitychange', look);
      opened.close();
      setOutbox(undefined);
    };
  }, [person.id]);

  const snapshot = useSyncExternalStore(
    useCallback((listener) => outbox?.subscribe(listener) ?? (() => undefined), [outbox]),
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

/** Polling interval while renditions are being made, ms. */
const LOOK_AGAIN_MS = 5_000;

/** Polls the state of sent photos; unshowable or unknown ones become visible again. */
export function useSentPhotos(
  { call, person }: OpenSession<'worker'>,
  outbox: Outbox | undefined,
  items: readonly Item[],
): void {
  const unsettled = items.filter(isUnsettled);

  async function stateOf(filename: string, signal: AbortSignal): Promise<PhotoState | undefined> {
    try {
      const parts = { params: { filename }, signal };
      return (await call('GET /api/workers/photos/{filename}', parts)).state;
    } catch (error) {
      if (error instanceof ApiProblem && error.type === 'not-found') return undefined;
      throw error;
    }
  }

  useQuery({
    queryKey: ['worker', 'sent-photos', person.id, ...unsettled.map(({ id }) => id)],
    enabled: outbox !== undefined && unsettled.length > 0,
    networkMode: 'always',
    retry: false,
    queryFn: async ({ signal }) => {
      for (const { id, state } of unsettled) {
        if (state.step !== 'sent') continue;
        const found = await stateOf(state.filename, signal);
        if (found !== 'accepted') await outbox!.settle(id, found);
      }
      return null;
    },
    refetchInterval: ({ state }) => Math.max(LOOK_AGAIN_MS, askedPauseMs(state.error)),
  });
}
