import { isBlocked, type Item, type ItemState, type PhotoItem } from '../outbox/item.ts';

/** State shown in a photo's row. */
export type PhotoRowState =
  | Exclude<ItemState, { step: 'waiting' }>
  | { step: 'sending'; share: number }
  | { step: 'failed' }
  | { step: 'waiting'; waitsFor: 'signal' | 'place' | 'step' | 'turn' };

interface Around {
  items: readonly Item[];
  sending: { id: string; share: number } | undefined;
  isOnline: boolean;
}

export function rowStateOf(photo: PhotoItem, { items, sending, isOnline }: Around): PhotoRowState {
  if (photo.state.step !== 'waiting') return photo.state;
  if (sending?.id === photo.id) return { step: 'sending', share: sending.share };
  if (isBlocked(photo, items)) return { step: 'waiting', waitsFor: 'step' };
  if (!isOnline) return { step: 'waiting', waitsFor: 'signal' };
  if (photo.attempts > 0) return { step: 'failed' };
  return { step: 'waiting', waitsFor: photo.placeUntil > Date.now() ? 'place' : 'turn' };
}
