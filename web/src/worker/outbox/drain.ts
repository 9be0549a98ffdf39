import { afterFailure, earliest, failureOf, type Item, nextToSend } from './item.ts';
import type { Store } from './store.ts';

/** What the server kept of an item. */
export type Receipt =
  | { kind: 'status'; assignment: unknown }
  | {
      kind: 'photo';
      filename: string;
      duplicate: boolean;
      /** The work is somebody else's by now: an admin looks at it. */
      isHandedOver: boolean;
    };

export type Send = (
  item: Item,
  file: ArrayBuffer | undefined,
  onProgress: (share: number) => void,
) => Promise<Receipt>;

export interface DrainParts {
  store: Store;
  workerId: string;
  send: Send;
  clock: () => number;
  /** Pauses from before this moment are over. */
  eagerSince: () => number;
  /** False ends it before the next item: nobody is logged in any more, or somebody else. */
  mayGoOn: () => boolean;
  onSending?: (sending: { id: string; share: number } | undefined) => void;
  /** Something in the store has changed. */
  onChange?: () => void | Promise<void>;
  /** The server does not know the token any more. */
  onSessionOver?: () => void;
  onReceipt?: (item: Item, receipt: Receipt) => void | Promise<void>;
}

/**
 * Sends one after another what is due: a phone's line is narrow, and the first should arrive soon.
 * @returns when to look again, ms; undefined when nothing waits, or nothing may be sent
 */
export async function drain(parts: DrainParts): Promise<number | undefined> {
  const { store, workerId, clock } = parts;
  for (;;) {
    const items = await store.list(workerId);
    const { item, wakeAt } = nextToSend(items, { now: clock(), eagerSince: parts.eagerSince() });
    if (!item) return wakeAt;
    if (!parts.mayGoOn()) return undefined;
    const goOn = await attempt(item, parts);
    await parts.onChange?.();
    if (goOn === 'session-over') {
      parts.onSessionOver?.();
      return undefined;
    }
    if (goOn === 'no-signal') {
      return earliest(await store.list(workerId), clock());
    }
  }
}

async function attempt(item: Item, parts: DrainParts): Promise<ReturnType<typeof failureOf> | 'sent'> {
  const { store, clock, onSending } = parts;
  const tell = (share: number) => onSending?.({ id: item.id, share });
  try {
    const file = item.kind === 'photo' ? await store.file(item.id) : undefined;
    tell(0);
    const receipt = await parts.send(item, file, tell);
    // First what is shown, then what is forgotten: a page closed in between sends it again, which changes nothing.
    await parts.onReceipt?.(item, receipt);
    await settle(item, receipt, parts);
    return 'sent';
  } catch (error) {
    await store.change(item.id, (current) => afterFailure(current, error, clock()));
    return failureOf(error);
  } finally {
    onSending?.(undefined);
  }
}

/** A photo stays on this phone until the server has made its sizes: see use-sent-photos.ts. */
async function settle(item: Item, receipt: Receipt, { store, clock }: DrainParts): Promise<void> {
  if (receipt.kind === 'status') return store.remove(item.id);
  const { filename, duplicate, isHandedOver } = receipt;
  // Sent twice because the first answer was lost is no news to anybody.
  const again = duplicate && item.attempts === 0;
  await store.change(item.id, (current) => ({
    ...current,
    state: { step: 'sent', at: clock(), filename, again, isHandedOver },
  }));
}
