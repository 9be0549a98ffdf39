import type { PhotoState } from '@arboleda/contracts/photo.ts';
import { fireEvent, screen } from '@testing-library/react';
import { keepToken } from '../session/token-store.ts';
import { reopenPhone } from '../worker/outbox/use-outbox.ts';
import type { UnshowablePhoto } from '../worker/field.ts';
import type { Assignment, Visit } from '../worker/tasks.ts';
import { WorkerPortal } from '../worker/WorkerPortal.tsx';
import { refusal, STATS, tokenFor, WORKER } from './fixtures.ts';
import { emptyIndexedDB } from './indexed-db.ts';
import { renderScreen } from './render.tsx';
import { fakeApi } from './server.ts';

const STATUS = 'PUT /api/workers/assignments/{id}/status';

/** An online phone with a logged-in worker and empty storage. */
export async function setUpPhone(): Promise<void> {
  localStorage.clear();
  await reopenPhone();
  emptyIndexedDB();
  keepToken('worker', tokenFor(WORKER.id));
  signal(true);
}

/** Switches the phone's network on or off, with its events. */
export function signal(has: boolean) {
  Object.defineProperty(navigator, 'onLine', { configurable: true, value: has });
  window.dispatchEvent(new Event(has ? 'online' : 'offline'));
}

/** Leaving the page ends the time to undo a step, which is then sent. */
export const leavePage = () => void window.dispatchEvent(new Event('pagehide'));

/** A server that stores assignments and applies status changes, unless a test overrides an answer. */
export function fakeWorkerApi(
  kept: Assignment[],
  status?: () => ReturnType<typeof refusal> | 'lost',
  visits: Visit[] = [],
  /** State of uploaded photos. */
  photos: () => PhotoState | 'unknown' = () => 'accepted',
  unshowable: UnshowablePhoto[] = [],
) {
  const requests = fakeApi({
    'GET /api/auth/worker/verify': () => (navigator.onLine ? { body: { worker: WORKER } } : 'lost'),
    'GET /api/workers/assignments': () =>
      navigator.onLine ? { body: { assignments: kept, stats: STATS } } : 'lost',
    'GET /api/workers/growth-visits': () =>
      navigator.onLine ? { body: { visits, counts: { due: visits.length, scheduled: 0, done: 0 } } } : 'lost',
    'GET /api/workers/assignments/events': () => 'lost',
    'GET /api/workers/photos': () => ({ body: { photos: unshowable } }),
    'GET /api/workers/photos/{filename}': ({ url }: { url: string }) => {
      const state = photos();
      const filename = url.split('/').at(-1)!;
      return state === 'unknown' ? refusal(404, 'not-found') : { body: { filename, state } };
    },
    [STATUS]: ({ url, body }: { url: string; body: unknown }) => {
      if (status) return status();
      const at = kept.findIndex(({ _id }) => url.includes(_id));
      kept[at] = { ...kept[at]!, ...(body as { status: 'planted' }) };
      return { body: { assignment: kept[at] } };
    },
  });
  const steps = () => requests.filter(({ key }) => key === STATUS);
  return { requests, steps, moves: () => steps().map(({ body }) => body) };
}
export const open = () => renderScreen(<WorkerPortal />, { texts: ['portal', 'worker'] });
export const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }));

const JPEG_START = [0xff, 0xd8, 0xff];

export const file = (name: string, bytes = 10) =>
  new File([new Uint8Array(JPEG_START), new Uint8Array(bytes - JPEG_START.length)], name, {
    type: 'image/jpeg',
    lastModified: Date.parse('2026-03-30T15:00:00Z'),
  });
