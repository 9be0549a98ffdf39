import { useReducer } from 'react';
import { ApiProblem } from '../api/problem.ts';
import type { Answer } from '../api/client.ts';
import { upload } from '../api/upload.ts';
import { readToken } from '../session/token-store.ts';

type Accepted = Answer<'POST /api/workers/assignments/{id}/photos'>;

export type PhotoState =
  | { step: 'sending'; share: number }
  | { step: 'sent'; filename: string }
  /** The server does not want it, and why; sending it again would change nothing. */
  | { step: 'refused'; why: string }
  /** No answer, or a fault that may pass. */
  | { step: 'failed' };

export interface QueuedPhoto {
  id: number;
  file: File;
  preview: string;
  state: PhotoState;
}

type Action = { type: 'add'; photos: QueuedPhoto[] } | { type: 'set'; id: number; state: PhotoState };

export function queueReducer(queue: readonly QueuedPhoto[], action: Action): readonly QueuedPhoto[] {
  if (action.type === 'add') return [...queue, ...action.photos];
  return queue.map((photo) => (photo.id === action.id ? { ...photo, state: action.state } : photo));
}

/** What an answer's failure means for the photo. */
export function failureState(error: unknown): PhotoState {
  if (error instanceof ApiProblem && error.status >= 400 && error.status < 500 && error.status !== 429) {
    return { step: 'refused', why: error.fields[0]?.message ?? error.message };
  }
  return { step: 'failed' };
}

let nextId = 0;

/** The photos picked for one assignment, each sent by itself so that a bad one does not hold up the others. */
export function usePhotoQueue(assignmentId: string, onSent: () => Promise<void>) {
  const [queue, dispatch] = useReducer(queueReducer, []);
  const send = async ({ id, file }: QueuedPhoto) => {
    const set = (state: PhotoState) => dispatch({ type: 'set', id, state });
    set({ step: 'sending', share: 0 });
    try {
      const { photos } = await upload<Accepted>({
        path: `/api/workers/assignments/${encodeURIComponent(assignmentId)}/photos`,
        token: readToken('worker') ?? '',
        field: 'photos',
        file,
        onProgress: (share) => set({ step: 'sending', share }),
      });
      set({ step: 'sent', filename: photos[0]!.filename });
      await onSent();
    } catch (error) {
      set(failureState(error));
    }
  };
  const add = async (files: readonly File[]) => {
    const photos = files.map((file): QueuedPhoto => ({
      id: nextId++,
      file,
      preview: URL.createObjectURL(file),
      state: { step: 'sending', share: 0 },
    }));
    dispatch({ type: 'add', photos });
    for (const photo of photos) await send(photo);
  };
  return { queue, add, retry: send };
}
