import type { Answer } from '../../api/client.ts';
import { ApiProblem } from '../../api/problem.ts';
import { afterFailure, earliest, failureOf, type Item, nextToSend, type PhotoItem } from './item.ts';
import type { Store } from './store.ts';

/** Result of sending an item. */
export type Receipt =
  | { kind: 'status'; assignment: unknown }
  | {
      kind: 'photo';
      filename: string;
      duplicate: boolean;
      /** Reassigned work: an admin reviews the photo. */
      isHandedOver: boolean;
    };

export type Send = (
  item: Item,
  file: ArrayBuffer | undefined,
  onProgress: (share: number) => void,
) => Promise<Receipt>;

interface DrainParts {
  store: Store;
  workerId: string;
  send: Send;
  clock: () => number;
  /** Retry pauses that began before this time are over. */
  eagerSince: () => number;
  /** False stops before the next item, after a logout or another login. */
  shouldContinue: () => boolean;
  onSending?: (sending: { id: string; share: number } | undefined) => void;
  onChange?: () => void | Promise<void>;
  onSessionOver?: () => void;
  onReceipt?: (item: Item, receipt: Receipt) => void | Promise<void>;
}

/**
 * Sends due items one after another, because a phone's line is narrow.
 * @returns time of the next attempt, ms; undefined when nothing waits or sending is not allowed
 */
export async function drain(parts: DrainParts): Promise<number | undefined> {
  const { store, workerId, clock } = parts;
  for (;;) {
    const items = await store.list(workerId);
    const { item, wakeAt } = nextToSend(items, { now: clock(), eagerSince: parts.eagerSince() });
    if (!item) return wakeAt;
    if (!parts.shouldContinue()) return undefined;
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
  const reportShare = (share: number) => onSending?.({ id: item.id, share });
  try {
    const file = item.kind === 'photo' ? await store.file(item.id) : undefined;
    reportShare(0);
    const receipt = await parts.send(item, file, reportShare);
    // Shows the result before deleting the item: if the page closes in between, resending is harmless.
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

/** A photo stays on this phone until its renditions exist: see use-outbox.ts. */
async function settle(item: Item, receipt: Receipt, { store, clock }: DrainParts): Promise<void> {
  if (receipt.kind === 'status') return store.remove(item.id);
  const { filename, duplicate, isHandedOver } = receipt;
  // A duplicate caused by our own retry is not announced.
  const again = duplicate && item.attempts === 0;
  await store.change(item.id, (current) => ({
    ...current,
    state: { step: 'sent', at: clock(), filename, again, isHandedOver },
  }));
}

export type Accepted = Answer<'POST /api/workers/assignments/{id}/photos'>;

const FOLDERS = { assignment: 'assignments', visit: 'growth-visits' };

export const photoPath = ({ occasion: { kind, id } }: PhotoItem): string =>
  `/api/workers/${FOLDERS[kind]}/${encodeURIComponent(id)}/photos`;

/**
 * Form with a photo and the details its file lost.
 * @throws ApiProblem when the browser evicted the picture to free space
 */
export function photoForm({ id, name, type, details }: PhotoItem, file: ArrayBuffer | undefined): FormData {
  if (!file) throw new ApiProblem({ type: 'photo-damaged', status: 422, title: 'Damaged' });
  const form = new FormData();
  form.append('details', JSON.stringify([{ clientId: id, ...details }]));
  form.append('photos', new File([file], name, { type }));
  return form;
}

export function receiptOf(answer: Accepted): Receipt {
  const { filename, duplicate, flags } = answer.photos[0]!;
  return { kind: 'photo', filename, duplicate, isHandedOver: flags.includes('after-reassignment') };
}
