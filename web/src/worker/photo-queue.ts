import { useEffect, useReducer } from 'react';
import type { Answer } from '../api/client.ts';
import { ApiProblem } from '../api/problem.ts';
import { upload } from '../api/upload.ts';
import { readToken } from '../session/token-store.ts';

type Accepted = Answer<'POST /api/workers/assignments/{id}/photos'>;

/** What contracts allow a photo to weigh: a heavier one is refused here, before it costs anybody data. */
export const MAX_PHOTO_BYTES = 15_000_000;

export type PhotoState =
  | { step: 'sending'; share: number }
  /** Kept by the server; shown when its sizes are made. */
  | { step: 'sent'; filename: string; duplicate: boolean }
  /** Not wanted, and why; sending it again would change nothing. */
  | { step: 'refused'; why: ApiProblem }
  /** No answer, or a fault that may pass. */
  | { step: 'failed' };

export interface QueuedPhoto {
  id: number;
  assignmentId: string;
  file: File;
  /** An object URL. */
  preview: string;
  state: PhotoState;
}

type Action =
  | { type: 'add'; photos: readonly QueuedPhoto[] }
  | { type: 'set'; id: number; state: PhotoState }
  | { type: 'remove'; id: number };

export function queueReducer(queue: readonly QueuedPhoto[], action: Action): readonly QueuedPhoto[] {
  switch (action.type) {
    case 'add':
      return [...queue, ...action.photos];
    case 'set':
      return queue.map((photo) => (photo.id === action.id ? { ...photo, state: action.state } : photo));
    case 'remove':
      return queue.filter(({ id }) => id !== action.id);
  }
}

/** What an answer's failure means for the photo. */
export function failureState(error: unknown): PhotoState {
  const isRefusal = error instanceof ApiProblem && error.status >= 400 && error.status < 500;
  if (!isRefusal || error.status === 401 || error.status === 429) return { step: 'failed' };
  return { step: 'refused', why: error };
}

const TOO_LARGE = new ApiProblem({ type: 'photo-too-large', status: 413, title: 'Too large' });

/** Photos that the assignment shows already need no line of their own; one that was sent twice says so. */
export const isOpen = ({ state }: QueuedPhoto, shown: readonly string[]): boolean =>
  state.step !== 'sent' || state.duplicate || !shown.includes(state.filename);

export interface PhotoQueue {
  photos: readonly QueuedPhoto[];
  add: (assignmentId: string, files: readonly File[]) => void;
  retry: (photo: QueuedPhoto) => void;
  remove: (photo: QueuedPhoto) => void;
}

let nextId = 0;

/** Everything that was picked since the page was opened; a bad photo does not hold up the others. */
export function usePhotoQueue(onSent: () => Promise<void>): PhotoQueue {
  const [photos, dispatch] = useReducer(queueReducer, []);
  useLeaveWarning(photos.some(({ state }) => state.step === 'sending'));

  const send = async ({ id, assignmentId, file }: QueuedPhoto): Promise<void> => {
    const set = (state: PhotoState) => dispatch({ type: 'set', id, state });
    if (file.size > MAX_PHOTO_BYTES) return set({ step: 'refused', why: TOO_LARGE });
    set({ step: 'sending', share: 0 });
    const form = new FormData();
    form.append('photos', file);
    try {
      const answer = await upload<Accepted>({
        path: `/api/workers/assignments/${encodeURIComponent(assignmentId)}/photos`,
        token: readToken('worker') ?? '',
        form,
        onProgress: (share) => set({ step: 'sending', share }),
      });
      const { filename, duplicate } = answer.photos[0]!;
      set({ step: 'sent', filename, duplicate });
      await onSent();
    } catch (error) {
      set(failureState(error));
    }
  };

  /** One after another: a phone's connection is narrow, and the first should arrive soon. */
  const sendAll = async (some: readonly QueuedPhoto[]) => {
    for (const photo of some) await send(photo);
  };

  return {
    photos,
    add(assignmentId, files) {
      const added = files.map((file): QueuedPhoto => ({
        id: nextId++,
        assignmentId,
        file,
        preview: URL.createObjectURL(file),
        state: { step: 'sending', share: 0 },
      }));
      dispatch({ type: 'add', photos: added });
      void sendAll(added);
    },
    retry: (photo) => void send(photo),
    remove(photo) {
      URL.revokeObjectURL(photo.preview);
      dispatch({ type: 'remove', id: photo.id });
    },
  };
}

/** The browser asks before a page is closed that still sends. */
function useLeaveWarning(busy: boolean): void {
  useEffect(() => {
    if (!busy) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [busy]);
}
