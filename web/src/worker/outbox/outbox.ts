import type { PhotoState } from '@arboleda/contracts/photo.ts';
import { drain, type Receipt, type Send } from './drain.ts';
import { applyServerState, belongsTo, isHeld, isStatus, type Item } from './item.ts';
import { CHANNEL, LOCK } from './names.ts';
import type { Store } from './store.ts';

export interface OutboxSnapshot {
  items: readonly Item[];
  sending: { id: string; share: number } | undefined;
  isRead: boolean;
  /** The task this window stays on, as kept when it was opened. */
  currentId: string | undefined;
}

interface Parts {
  store: Store;
  workerId: string;
  send: Send;
  shouldContinue: () => boolean;
  onReceipt: (item: Item, receipt: Receipt) => void | Promise<void>;
  /** The token was refused; all items stay. */
  onSessionOver: () => void;
}

export type Outbox = ReturnType<typeof openOutbox>;

/** Outbox of one worker: stores items, sends them and reports their states. */
export function openOutbox({ store, workerId, send, shouldContinue, onReceipt, onSessionOver }: Parts) {
  let snapshot: OutboxSnapshot = { items: [], sending: undefined, isRead: false, currentId: undefined };
  let eagerSince = 0;
  let isRunning = false;
  let runAgain = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new AbortController();
  const listeners = new Set<() => void>();
  const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(CHANNEL);

  const show = (change: Partial<OutboxSnapshot>) => {
    snapshot = { ...snapshot, ...change };
    for (const listener of listeners) listener();
  };
  const read = async () => {
    const items = await store.list(workerId);
    // Another window’s current task is its own.
    const kept = snapshot.isRead ? undefined : await store.currentTask(workerId);
    show({ items, currentId: snapshot.isRead ? snapshot.currentId : kept, isRead: true });
  };
  const changed = async () => {
    await read();
    channel?.postMessage({ workerId });
  };

  channel?.addEventListener('message', ({ data }: MessageEvent<{ workerId: string }>) => {
    if (data.workerId === workerId) void read().then(() => run());
  });

  /** One window sends at a time; the browser releases the lock when a window closes. */
  const exclusively = (act: () => Promise<void>): Promise<void> =>
    navigator.locks ? navigator.locks.request(LOCK, { signal: over.signal }, act) : act();

  async function run(): Promise<void> {
    if (over.signal.aborted) return;
    runAgain = isRunning;
    if (isRunning) return;
    isRunning = true;
    clearTimeout(timer);
    let wakeAt: number | undefined;
    try {
      await exclusively(async () => {
        wakeAt = await drain({
          store,
          workerId,
          send,
          clock: Date.now,
          eagerSince: () => eagerSince,
          shouldContinue: () => shouldContinue() && navigator.onLine && !over.signal.aborted,
          onSending: (sending) => show({ sending }),
          onChange: changed,
          onReceipt,
          onSessionOver,
        });
      });
    } catch {
      // Aborted while waiting for another window.
    } finally {
      isRunning = false;
    }
    if (over.signal.aborted) return;
    if (runAgain) return run();
    if (wakeAt === undefined) return;
    timer = setTimeout(() => void run(), Math.max(0, wakeAt - Date.now()));
  }

  /** Ends the time to undo, and sends. */
  async function sendHeld(): Promise<void> {
    const held = (await store.list(workerId)).filter((item) => isStatus(item) && isHeld(item, Date.now()));
    for (const { id } of held) await store.change(id, (item) => ({ ...item, heldUntil: 0 }));
    if (held.length > 0) await changed();
    eagerSince = Date.now();
    await read();
    await run();
  }

  function shut() {
    clearTimeout(timer);
    over.abort();
    channel?.close();
  }

  return {
    sendHeld,
    stayOn(id: string) {
      if (snapshot.currentId === id) return;
      show({ currentId: id });
      void store.keepCurrentTask(workerId, id);
    },
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    snapshot: () => snapshot,
    retryNow() {
      eagerSince = Date.now();
      void read().then(run);
    },
    async add(item: Item, file?: ArrayBuffer) {
      // After all waiting items, even those created while the phone's clock was ahead.
      const others = await store.list(workerId);
      const at = Math.max(item.at, ...others.map((other) => other.at + 1));
      await store.add({ ...item, at }, file);
      // A step with followers cannot be undone, so nothing holds it back.
      for (const other of others.filter((one) => isStatus(one) && belongsTo(one, item.occasion)))
        await store.change(other.id, (step) => ({ ...step, heldUntil: 0 }));
      await changed();
      void run();
    },
    async change(id: string, change: (item: Item) => Item) {
      await store.change(id, change);
      await changed();
      void run();
    },
    async settle(id: string, found: PhotoState | undefined) {
      await store.change(id, (item) => applyServerState(item, found));
      if (found === 'ready') await store.dropFile(id);
      await changed();
      void run();
    },
    async remove(id: string) {
      await store.remove(id);
      await changed();
      void run();
    },
    /** Sends steps that could still be undone, then stops. */
    close() {
      if (snapshot.items.some((item) => isStatus(item) && isHeld(item, Date.now())))
        void sendHeld().finally(shut);
      else shut();
    },
  };
}
