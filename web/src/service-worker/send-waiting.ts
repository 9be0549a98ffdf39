import { requestOf } from '@arboleda/contracts/client.ts';
import { problemOf } from '../api/problem.ts';
import { databaseStore, openWorkerDatabase } from '../worker/outbox/database.ts';
import { drain, photoForm, photoPath, receiptOf, type Send } from '../worker/outbox/drain.ts';
import type { Store } from '../worker/outbox/store.ts';
import { CHANNEL, LOCK } from '../worker/outbox/names.ts';
import { isHeld, isUnsent } from '../worker/outbox/item.ts';

/** Longest hold: of a photo whose place is being looked for, ms. */
const LONGEST_HOLD_MS = 15_000;

/** Sends waiting items while no page is open. @throws when items remain, so that the browser retries */
export async function sendWaiting(): Promise<void> {
  const database = await openWorkerDatabase();
  try {
    const session = await database.get('session', 'worker');
    if (!session) return;
    const { workerId, token } = session;
    const store = databaseStore(database);
    let isOver = false;
    const channel = new BroadcastChannel(CHANNEL);
    await untilNothingIsHeld(store, workerId);
    await navigator.locks.request(LOCK, () =>
      drain({
        store,
        workerId,
        send: sendAs(token),
        clock: Date.now,
        eagerSince: Date.now,
        shouldContinue: () => true,
        onChange: () => channel.postMessage({ workerId }),
        onSessionOver: () => (isOver = true),
      }),
    );
    channel.close();
    const left = await store.list(workerId);
    if (!isOver && left.some(isUnsent)) throw new Error('not all could be sent');
  } finally {
    database.close();
  }
}

/** Lets the worker undo a step in an open page first; the wait is shorter than a browser lets a service worker live. */
async function untilNothingIsHeld(store: Store, workerId: string): Promise<void> {
  const now = Date.now();
  const held = (await store.list(workerId)).filter((item) => isHeld(item, now));
  const longest = Math.max(0, ...held.map(({ heldUntil }) => heldUntil - now));
  await new Promise((resolve) => setTimeout(resolve, Math.min(longest, LONGEST_HOLD_MS)));
}

const sendAs =
  (token: string): Send =>
  async (item, file) => {
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
    if (item.kind === 'status') {
      const { url, init } = requestOf('PUT /api/workers/assignments/{id}/status', {
        params: { id: item.occasion.id },
        body: item.body,
        idempotencyKey: item.id,
        headers,
      });
      const { assignment } = (await answered(await fetch(url, init))) as { assignment: unknown };
      return { kind: 'status', assignment };
    }
    const body = photoForm(item, file);
    return receiptOf(
      (await answered(await fetch(photoPath(item), { method: 'POST', headers, body }))) as never,
    );
  };

async function answered(response: Response): Promise<unknown> {
  if (!response.ok) throw await problemOf(response);
  return response.json();
}
