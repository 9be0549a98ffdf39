import type { Change } from '@arboleda/chassis/ports/documents.ts';
import type { NewEvent } from '@arboleda/contracts/events/index.ts';
import type { Decision, Photo } from './photo.ts';

/** Hides a photo from the public or shows it again, and tells of it; undefined when somebody has decided so before. */
export function decideVisibility(photo: Photo, asked: Decision): Change<Photo> | undefined {
  const isDecided = !photo.hidden || photo.hidden.by.role !== 'system';
  if (Boolean(photo.hidden) === asked.isHidden && isDecided) return undefined;
  const decision = { ...asked, at: later(photo.decisions?.at(-1)?.at, asked.at) };
  const { hidden: _before, ...rest } = photo;
  return {
    document: {
      ...rest,
      ...(decision.isHidden && { hidden: decision }),
      decisions: [...(photo.decisions ?? []), decision],
    },
    events: photo.state === 'ready' ? [visibilityEvent(photo, decision)] : [],
  };
}

/** Two decisions of one moment, or of two machines' clocks, can be told apart by their time all the same. */
const later = (before: string | undefined, now: string): string =>
  before && before >= now ? new Date(Date.parse(before) + 1).toISOString() : now;

const visibilityEvent = (photo: Photo, decision: Decision): NewEvent =>
  decision.isHidden ? hiddenEvent(photo, decision) : { type: 'photo.restored', data: told(photo, decision) };

export const hiddenEvent = (photo: Photo, decision: Decision): NewEvent<'photo.hidden'> => ({
  type: 'photo.hidden',
  data: told(photo, decision),
});

function told(photo: Photo, { by, reason, at }: Decision) {
  const { orderId, assignmentId, _id: photoId, filename } = photo;
  return { orderId, assignmentId, photoId, filename, by, reason, at };
}
